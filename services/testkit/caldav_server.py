"""Runs Radicale, a CalDAV server, on a free port: caldav_server.py FOLDER NAME:PASSWORD…

Prints its address once it answers, and ends when its input does: with the process that started it. FOLDER keeps what
the accounts have, and is removed at the end: an account must never begin with what another run left behind. Each has
what is its own, and everyone reads its "Work" as one file, as published calendars are read.
"""

import os
import pathlib
import shutil
import socket
import sys
import threading
import time

RIGHTS = """[root]
user: .+
collection:
permissions: R
[own]
user: .+
collection: {user}(/.*)?
permissions: RrWw
[published]
user: .*
collection: [^/]+/work
permissions: i
"""

CONFIG = """[server]
hosts = 127.0.0.1:{port}
[auth]
type = htpasswd
htpasswd_filename = {folder}/users
htpasswd_encryption = plain
delay = 0
[rights]
type = from_file
file = {folder}/rights
[storage]
filesystem_folder = {folder}/storage
[logging]
level = error
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def announce(port: int) -> None:
    """Prints the address as soon as the server takes connections."""
    while True:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.01)
    print(f"http://127.0.0.1:{port}/", flush=True)


def end_with_input(folder: str) -> None:
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def main() -> None:
    folder, *accounts = sys.argv[1:]
    port = free_port()
    files = {
        "users": "".join(f"{account}\n" for account in accounts),
        "rights": RIGHTS,
        "config": CONFIG.format(port=port, folder=folder),
    }
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    threading.Thread(target=end_with_input, args=[folder], daemon=True).start()
    threading.Thread(target=announce, args=[port], daemon=True).start()
    sys.argv = ["radicale", "--config", f"{folder}/config"]
    from radicale.__main__ import run

    run()


if __name__ == "__main__":
    main()
