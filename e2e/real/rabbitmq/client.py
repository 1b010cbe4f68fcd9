# A client of RabbitMQ for the tests: client.py COMMAND URI QUEUE [COUNT].
import hashlib, json, os, ssl, sys, time
import pika

command, uri, queue = sys.argv[1:4]
count = int(sys.argv[4]) if len(sys.argv) > 4 else 0
ARGUMENTS = {"x-queue-type": "quorum", "x-delivery-limit": -1}
PERSISTENT = pika.BasicProperties(delivery_mode=2)


def connect():
    parameters = pika.URLParameters(uri)
    parameters.socket_timeout = parameters.stack_timeout = parameters.blocked_connection_timeout = 5
    parameters.connection_attempts = 1
    if uri.startswith("amqps:"):
        parameters.ssl_options = pika.SSLOptions(ssl.create_default_context(cafile="/tmp/ca.crt"), parameters.host)
    return pika.BlockingConnection(parameters)


def publish():
    """Queue order: the confirmation of the last message is that of all."""
    connection = connect()
    channel = connection.channel()
    channel.queue_declare(queue, durable=True, arguments=ARGUMENTS)
    for number in range(count):
        if number == count - 1:
            channel.confirm_delivery()
        channel.basic_publish("", queue, f"message-{number}-{number * 7919 % 10007}", PERSISTENT, mandatory=True)
    connection.close()


def read():
    """Number and checksum of the messages that are ready, which stay in the queue."""
    connection = connect()
    channel = connection.channel()
    bodies = []
    expected = channel.queue_declare(queue, passive=True).method.message_count
    # Without a number a quorum queue delivers 2,000 messages.
    channel.basic_qos(prefetch_count=60000)
    if expected > 0:
        for _, _, body in channel.consume(queue, auto_ack=False):
            bodies.append(body)
            if len(bodies) == expected:
                break
    print(len(bodies), hashlib.sha256(b"\n".join(bodies)).hexdigest())
    connection.close()


def write():
    """Publishes until the file /tmp/stop exists; a message that was not confirmed is sent again. Says what it could not write."""
    written = retries = 0
    longest = 0.0
    last = time.monotonic()
    connection = None
    open("/tmp/writing", "w").close()
    while not os.path.exists("/tmp/stop"):
        try:
            if connection is None:
                connection = connect()
                channel = connection.channel()
                channel.queue_declare(queue, durable=True, arguments=ARGUMENTS)
                channel.confirm_delivery()
            channel.basic_publish("", queue, f"written-{written}", PERSISTENT, mandatory=True)
            now = time.monotonic()
            longest = max(longest, now - last)
            last = now
            written += 1
            time.sleep(0.05)
        except Exception:
            retries += 1
            try:
                connection.close()
            except Exception:
                pass
            connection = None
            time.sleep(0.05)
    print(json.dumps({"written": written, "retries": retries, "longest": round(longest, 2)}))


def ids():
    """How many different messages of write() the queue has, and the highest number."""
    connection = connect()
    channel = connection.channel()
    expected = channel.queue_declare(queue, passive=True).method.message_count
    channel.basic_qos(prefetch_count=60000)
    found = set()
    seen = 0
    for _, _, body in channel.consume(queue, auto_ack=False):
        found.add(int(body.decode().split("-")[1]))
        seen += 1
        if seen == expected:
            break
    print(len(found), max(found) + 1)
    connection.close()


def check():
    connect().close()
    print("ok")


try:
    {"publish": publish, "read": read, "write": write, "ids": ids, "check": check}[command]()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error!r}")
