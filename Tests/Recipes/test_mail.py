"""Mail: the message holds every line, and a place name adds neither a header nor a recipient."""
import email, email.policy, os
import feeds
from workspace import Skipped, expect

PAGE = "mail.md"


class Box:
    """What an SMTP server on 127.0.0.1 got: sender, recipients and message."""

    def __init__(self): self.messages = []

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.messages.append((envelope.rcpt_tos, message))
        return "250 OK"


def test(work):
    work.need("msmtp")
    try:
        from aiosmtpd.controller import Controller
    except ImportError:
        raise Skipped("aiosmtpd (PyPI) is missing") from None
    box, port = Box(), work.port()
    sendmail = work.path("sendmail")
    with open(work.path("msmtprc"), "w") as file:
        file.write(f"account default\nhost 127.0.0.1\nport {port}\nfrom quakes@example.org\n")
    with open(sendmail, "w") as file:
        file.write(f'#!/bin/sh\nexec msmtp -C "{work.path("msmtprc")}" "$@"\n')
    os.chmod(sendmail, 0o755)
    work.environment |= {"SENDMAIL": sendmail, "MAIL_TO": "you@example.org"}
    changes = work.hostile_cache()
    work.refused("send", "mail")

    server = Controller(box, hostname="127.0.0.1", port=port, data_size_limit=10_000_000)
    server.start()
    work.callback(server.stop)
    template = ["--min-mag", "4.5", "--op", "new,enter", "--max-origin-age", "30d", "--template", "{headline}"]
    headlines = work.quakes("changes", *template).split("\n")[:-1]
    work.command("send")
    work.unharmed()
    recipients, message = box.messages[0]
    expect(recipients == ["you@example.org"] and message["Bcc"] is None, f"a recipient too many: {recipients}")
    subject = f"{len(changes)} earthquakes: {headlines[0]}, "
    expect(message["Subject"].startswith(subject), f"subject: {message['Subject']!r}")
    lines = message.get_content().split("\n")[:-1]
    expect([line.rsplit(", ", 1)[0] for line in lines] == headlines, "the lines differ from the headlines")

    work.quakes("changes", "--consumer", "mail", "--ack", "beginning")
    work.command("send")
    expect(box.messages[1][1]["Message-ID"] == message["Message-ID"], "a repetition has another Message-ID")
    other = {"QUAKES_DB": work.path("other.db")}
    work.quakes("refresh", "-q", "-", input=feeds.hostile(), **other)
    work.command("send", **other)
    expect(box.messages[2][1]["Message-ID"] == message["Message-ID"], "another host has another Message-ID")
    for change in changes[:3]:
        line = work.quakes("changes", "--id", change["id"], "--template", "{id}/{op}\\t{headline}")
        work.run("./to-mail", input=line.encode())
        expect(box.messages[-1][1]["Subject"] == line.rstrip("\n").split("\t")[1], "a subject differs")
    return f"{len(changes)} lines in a message, subjects as published, a repetition with the same Message-ID"
