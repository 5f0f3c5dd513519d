"""The golden frames against the firmware; the same code runs in CPython and in MicroPython."""


def unhex(text):
    return bytes([int(text[at : at + 2], 16) for at in range(0, len(text), 2)])


def check(vectors, framing, messages, prove):
    """What is wrong, each in a line, and how many checks there were."""
    wrong = []
    count = 0

    def same(name, got, wanted):
        nonlocal count
        count += 1
        if got != wanted:
            wrong.append(f"{name}: {got!r} instead of {wanted!r}")

    for vector in vectors["frames"] + vectors["network"]:
        name = vector["name"]
        packet = unhex(vector["packet"])
        same(name, framing.frame(packet), unhex(vector["frame"]))
        same(name, framing.Deframer().feed(unhex(vector["frame"])), [packet])
        made = make(messages, vector["message"], vector["fields"])
        if made is None:
            same(name, messages.read(packet), wanted_of_host(vector["fields"], packet))
        else:
            same(name, made, packet)
    for vector in vectors["signed"]:
        signature = prove(unhex(vector["key"]), unhex(vector["challenge"]))
        same("signed", signature, unhex(vector["signature"]))
    for vector in vectors["readable"]:
        packet = unhex(vector["packet"])
        if packet[1] >= 0x80:
            same(vector["name"], messages.read(packet), wanted_of_host(vector["fields"], packet))
    for vector in vectors["refused"]:
        packet = unhex(vector["packet"])
        reason = vector["reason"]
        if reason == "short" and packet[1] < 0x80:
            reason = "type"  # a board's own messages are no news to it
        same(vector["name"], framing.Deframer().feed(unhex(vector["frame"])), [packet])
        try:
            same(vector["name"], messages.read(packet), "refused")
        except messages.MessageError as error:
            same(vector["name"], error.reason, reason)
    for vector in vectors["dropped"]:
        deframer = framing.Deframer()
        same(vector["name"], deframer.feed(unhex(vector["bytes"])), [])
        wanted = {"long": 0, "cobs": 0, "short": 0, "crc": 0}
        wanted[vector["reason"]] = 1
        same(vector["name"], deframer.dropped, wanted)
    for vector in vectors["streams"]:
        deframer = framing.Deframer()
        packets = []
        for chunk in vector["chunks"]:
            packets.extend(deframer.feed(unhex(chunk)))
        same(vector["name"], packets, [unhex(packet) for packet in vector["packets"]])
        same(vector["name"], deframer.dropped, vector["dropped"])
    return wrong, count


def wanted_of_host(fields, packet):
    names = {
        0x81: ("boot", "last_seq"),
        0x82: ("last_seq",),
        0x83: ("place", "pattern", "power"),
        0x84: ("place", "duration", "pitch"),
        0x85: (),
        0x86: ("seconds",),
        0x87: (),
        0x90: ("key", "name", "password"),
        0x91: ("signature",),
        0x92: (),
        0x93: (),
    }
    values = tuple([fields[name] for name in names[packet[1]]])
    if packet[1] >= 0x90:
        values = tuple([unhex(value) for value in values])
    return packet[1], fields.get("seq", 0), values


BOARD_FIELDS = {
    "hello": ("board", "boot", "firmware", "set", "seats", "features", "next_seq"),
    "snapshot": ("seq", "time", "cells"),
    "change": ("seq", "time", "place", "cell"),
    "heartbeat": ("time", "newest_seq"),
    "error": ("seq", "time", "code", "place", "detail"),
    "done": ("seq", "result"),
    "levels": ("place", "cell", "levels", "middles", "limits"),
    "admission": ("result",),
    "challenge": ("board", "nonce"),
    "network": ("state", "address", "port", "name"),
}
CONVERT = {
    "board": unhex,
    "firmware": tuple,
    "cells": bytes,
    "levels": list,
    "middles": list,
    "limits": tuple,
    "nonce": unhex,
    "address": unhex,
    "name": unhex,
}


def make(messages, kind, fields):
    """Return the board's packet with these fields; None if a board sends no such message."""
    if kind not in BOARD_FIELDS:
        return None
    if kind == "levels":
        limits = ("present", "absent", "broken", "short")
        fields = dict(fields, limits=[fields[name] for name in limits])
    values = [CONVERT.get(name, int)(fields[name]) for name in BOARD_FIELDS[kind]]
    if kind == "challenge":
        values = [values[0] + values[1]]
    return getattr(messages, kind)(*values)
