"""A program that speaks the protocol and misbehaves as its argument says, from its third move."""

import json
import os
import signal
import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else ""
decisions = 0

if how == "dies at once":
    sys.exit("this program has a bad day")
if how == "says nothing":
    time.sleep(1000)
if how == "closes its output":
    os.close(1)
    time.sleep(1000)
if how == "writes before it is asked":
    print("ready")


def first_ask(view):
    if view["legal_asks"]:
        return {"ask": view["legal_asks"][0]}
    if view["legal_passes"]:
        return {"pass": view["legal_passes"][0]}
    return {"error": "nothing left to do"}


def misbehave(view):
    if how == "answers nonsense":
        return "3D from B2, please"
    if how == "answers a list":
        return json.dumps([1, 2, 3])
    if how == "answers another question":
        return json.dumps({"ok": True})
    if how == "asks for no card":
        return json.dumps({"ask": {"target": "B1", "card": "1X"}})
    if how == "claims half":
        return json.dumps({"claim": {"half_suit": "LS", "holders": {"2S": "A1"}}})
    if how == "asks itself":
        return json.dumps({"ask": {"target": view["seat"], "card": view["legal_asks"][0]["card"]}})
    if how == "gives up":
        return json.dumps({"error": "I give up"})
    if how == "gives up oddly":
        return json.dumps({"error": "\ud800"})
    if how == "answers twice":
        return json.dumps(first_ask(view)) + "\n" + json.dumps(first_ask(view))
    if how == "writes a gigabyte":
        for _ in range(1 << 10):
            sys.stdout.write("x" * (1 << 20))
    if how == "complains a gigabyte":
        for _ in range(1 << 6):
            sys.stderr.write("y" * (1 << 20))
        return json.dumps(first_ask(view))
    if how == "sleeps":
        time.sleep(1000)
    if how == "starts a family":
        for _ in range(3):
            if os.fork() == 0:
                time.sleep(1000)
        time.sleep(1000)
    if how == "exits":
        print("leaving", file=sys.stderr)
        sys.exit(7)
    if how == "is killed":
        os.kill(os.getpid(), signal.SIGKILL)
    return json.dumps(first_ask(view))


while line := sys.stdin.readline():
    message = json.loads(line)
    if message["op"] == "hello" and how != "greets wrongly":
        print(json.dumps({"ok": True, "name": "program", "version": "1"}), flush=True)
    elif message["op"] == "hello":
        print(json.dumps({"hello": "you"}), flush=True)
    elif message["op"] == "new_game":
        decisions = 0
        print(json.dumps({"ok": True}), flush=True)
    elif message["op"] == "claim?":
        print(json.dumps({"none": True}), flush=True)
    elif message["op"] == "act":
        decisions += 1
        answer = first_ask(message["view"])
        print(misbehave(message["view"]) if decisions > 2 else json.dumps(answer), flush=True)
    elif how != "does not leave":
        break
else:
    if how == "does not leave":
        time.sleep(1000)
