"""pliant view from outside: what it serves, to whom, and what it survives. Usage: view.py PLIANT"""
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

PLIANT = str(pathlib.Path(sys.argv[1]).resolve())
failures = []


def check(condition, what, seen=""):
    if not condition:
        failures.append(what)
        print("FAILED:", what, seen)


def start(*arguments):
    process = subprocess.Popen([PLIANT, "view", "--no-browser", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    address = line.strip()
    port = int(address.split(":")[2].split("/")[0]) if address.startswith("http://127.0.0.1:") else 0
    return process, address, port


def ask(port, text, wait=5):
    """The whole answer to raw bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        connection.sendall(text if isinstance(text, bytes) else text.encode())
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except (TimeoutError, ConnectionResetError):
            pass
        return answer.decode("latin-1")


def get(port, path, host="127.0.0.1", method="GET"):
    return ask(port, f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n")


def test_files(port):
    page = get(port, "/")
    check(page.startswith("HTTP/1.1 200 OK") and page.endswith("<p>page</p>"), "the page", page)
    for header in ("Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Embedder-Policy: require-corp",
                   "Content-Type: text/html; charset=utf-8", "Content-Length: 11"):
        check(header in page, header, page)
    check("Content-Type: application/wasm" in get(port, "/a/b.wasm"), "the type of a module")
    check(get(port, "/a/b%2ewasm?x=1").endswith("\r\n\r\nwasm"), "a path with escapes and a query")
    check(get(port, "/", method="HEAD").endswith("\r\n\r\n"), "HEAD has no content")
    check("200 OK" in get(port, "/", host="localhost"), "localhost")


def test_only_the_folder(port):
    for path in ("/../secret.txt", "/a/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd",
                 "/link.txt", "/a%00b", "/..\\secret.txt", "/none", "/a", "secret.txt", "/%zz", "/%2"):
        answer = get(port, path)
        check("secret" not in answer.split("\r\n\r\n")[-1].replace(path, "") and " 200 " not in answer.split("\r\n")[0],
              f"{path} is not served", answer)
    check(" 403 " in get(port, "/", host="evil.example"), "another name of this machine")
    check(" 403 " in ask(port, "GET / HTTP/1.1\r\n\r\n"), "no name")


def test_malformed(port):
    check(" 405 " in get(port, "/", method="POST"), "POST")
    for text in ("\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9\r\n\r\n", b"\x00\xff\xfe\r\n\r\n", "x" * 100 + "\r\n\r\n"):
        check(" 400 " in ask(port, text), f"malformed: {text[:20]!r}")
    check(" 431 " in ask(port, "GET / HTTP/1.1\r\n" + "A: b\r\n" * 4000), "endless headers")


def test_slow(port):
    """Connections that say nothing hold up nobody, and end."""
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(150)]
    for connection in idle[-20:]:
        connection.sendall(b"GET / HT")
    begin = time.monotonic()
    check("200 OK" in get(port, "/"), "an answer beside 150 idle connections")
    check(time.monotonic() - begin < 2, "at once")
    idle[-1].settimeout(15)
    check(idle[-1].recv(1) == b"", "an unfinished request is ended")
    check(time.monotonic() - begin < 14, "in time")
    for connection in idle:
        connection.close()


def test_ports(port, folder):
    taken = subprocess.run([PLIANT, "view", "--no-browser", "--page", folder, "--port", str(port)], capture_output=True,
                           text=True, timeout=20)
    check(taken.returncode == 2 and f"--port: {port} is in use; " in taken.stderr and "is free" in taken.stderr,
          "a port in use", taken.stderr)
    first, _, usual = start("--page", folder)
    second, _, next_port = start("--page", folder)
    for one in (second, first):
        one.send_signal(signal.SIGINT)
    check(next_port > usual >= 8765, "the usual port, then the next that is free", f"{usual}, {next_port}")
    told = second.communicate(timeout=5)[1]
    check(f"is in use; {next_port} is free" in told, "it is said", told)
    first.communicate(timeout=5)
    for wrong in ("-1", "70000"):
        result = subprocess.run([PLIANT, "view", "--page", folder, f"--port={wrong}"], capture_output=True, text=True,
                                timeout=20)
        check(result.returncode == 2 and "must be 0 … 65535" in result.stderr, f"port {wrong}", result.stderr)


def test_loopback_only(port):
    outside = [a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    for address in set(outside) - {"127.0.0.1", "127.0.1.1"}:
        try:
            socket.create_connection((address, port), timeout=2).close()
            check(False, f"nobody is served on {address}")
        except OSError:
            pass


def test_scene_file(folder, work):
    (work / "tri.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (work / "mine.json").write_text('{"bodies": [{"cloth": {"file": "tri.obj"}}]}')
    process, address, port = start("--page", folder, "--port", "0", str(work / "mine.json"))
    check(address.endswith("/#open=opened/scene.json"), "the address of a file", address)
    opened = get(port, "/opened/scene.json")
    check('"name": "mine"' in opened and '"file": "opened/0"' in opened, "the scene", opened)
    check("f 1 2 3" in get(port, "/opened/0"), "its mesh")
    process.send_signal(signal.SIGINT)
    check(process.wait(5) == 0, "Ctrl-C ends it")
    wrong = subprocess.run([PLIANT, "view", "--page", folder, "--port", "0", "jely"], capture_output=True, text=True,
                           timeout=20)
    check(wrong.returncode == 2 and "jely" in wrong.stderr, "no such scene", wrong.stderr)
    gone = subprocess.run([PLIANT, "view", "--page", str(work / "none")], capture_output=True, text=True, timeout=20)
    check(gone.returncode == 2 and "./demo --web builds" in gone.stderr, "no page", gone.stderr)


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    (work / "secret.txt").write_text("secret")
    folder = work / "page"
    (folder / "a").mkdir(parents=True)
    (folder / "index.html").write_text("<p>page</p>")
    (folder / "a/b.wasm").write_text("wasm")
    (folder / "link.txt").symlink_to(work / "secret.txt")
    process, address, port = start("--page", str(folder), "--port", "0", "jelly")
    check(address.endswith("/#scene=jelly"), "the address", address)
    try:
        test_files(port)
        test_only_the_folder(port)
        test_malformed(port)
        test_slow(port)
        test_ports(port, str(folder))
        test_loopback_only(port)
        test_scene_file(str(folder), work)
        check("200 OK" in get(port, "/"), "after all of that")
        check(process.poll() is None, "it is alive")
    finally:
        process.send_signal(signal.SIGTERM)
        check(process.wait(5) == 0, "ended")
print("ok" if not failures else f"{len(failures)} failed")
sys.exit(1 if failures else 0)
