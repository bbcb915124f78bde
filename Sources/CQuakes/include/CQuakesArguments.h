#ifndef CQUAKES_ARGUMENTS_H
#define CQUAKES_ARGUMENTS_H

/// How many words the command line of this program has, its name included.
int quakes_argument_count(void);

/// The word at `index`, from 0; NULL where there is none.
const char *quakes_argument(int index);

/// The path that the system started this program by; NULL if it does not say.
const char *quakes_executable(void);

#endif
