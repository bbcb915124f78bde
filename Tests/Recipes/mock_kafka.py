"""A Kafka cluster in memory: librdkafka's mock. Prints the address of a broker and stays until it is ended."""
import signal
from confluent_kafka.admin import AdminClient

client = AdminClient({"test.mock.num.brokers": 3, "log_level": 0})
broker = next(iter(client.list_topics(timeout=10).brokers.values()))
print(f"{broker.host}:{broker.port}", flush=True)
signal.pause()
