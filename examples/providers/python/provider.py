"""A provider for Florin in one file: rails, deposits, identity, screening and prices, in memory, no money moves.

Started with PROVIDER_SECRET (two secrets, separated by a blank, while one replaces the other) and PORT. A real provider
keeps `orders` in its database and commits there before it answers; the rest stays as it is.
"""
import base64, hashlib, hmac, json, os, threading, time, urllib.request, uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["PROVIDER_SECRET"].split()
MONEY_ORDERS = {"PAYOUT", "PULL", "COLLECTION", "REFUND", "DEPOSIT_RETURN"}
TEST_OUTCOMES = {"SETTLE", "RETURN", "PARTIAL_RETURN", "HOLD", "FAIL", "REFUSE", "SLOW"}
orders, lock = {}, threading.RLock()  # id -> {digest, answer, state, reports, url}

def timestamp(seconds=0):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")[:23] + "Z"

def signature(secret, message_id, at, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()

def is_signed(headers, body):
    message_id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdecimal() or abs(time.time() - int(at)) > 300:
        return False
    valid = [signature(secret, message_id, at, body) for secret in SECRETS]
    return any(hmac.compare_digest(one, other) for one in headers.get("webhook-signature", "").split() for other in valid)

def push(url, content):
    """Sends the same body again until it is taken."""
    body, message_id, wait = json.dumps(content).encode(), str(uuid.uuid4()), 0.1
    while True:
        at = str(int(time.time()))
        request = urllib.request.Request(url, body, {
            "content-type": "application/json", "webhook-id": message_id, "webhook-timestamp": at,
            "webhook-signature": signature(SECRETS[0], message_id, at, body), "provider-protocol-version": "1"})
        try:
            return urllib.request.urlopen(request, timeout=10).close()
        except OSError:
            time.sleep(wait := min(wait * 2, 60))

def report(order_id, state, after=("ACCEPTED", "SENT", "SETTLED"), **members):
    """Takes the order into the state and sends the report, unless the order has gone another way meanwhile."""
    with lock:
        order = orders[order_id]
        if order["state"] in after:
            order["state"], sequence = state, len(order["reports"]) + 1
            content = {"orderId": order_id, "sequence": sequence, "state": state, "at": timestamp(), **members}
            order["reports"].append(content | {"reference": order["answer"]["reference"]})
            threading.Thread(target=push, args=(order["url"], {"reports": order["reports"][-1:]}), daemon=True).start()
        return order["state"]

def play(order):
    """What becomes of an accepted money order. A real provider pays here, and reports what its bank says."""
    outcome, _, reason = order.get("testOutcome", "SETTLE").partition(":")
    order_id, amount = order["id"], {key: order["amount"][key] for key in ("amount", "currency")}
    if outcome == "FAIL":
        report(order_id, "FAILED", reason=reason)
    elif outcome != "HOLD" and report(order_id, "SENT", after=("ACCEPTED",)) == "SENT":
        report(order_id, "SETTLED", amount=amount, proofs={"bankReference": order["reference"]})
    if outcome in ("RETURN", "PARTIAL_RETURN"):
        back = amount["amount"] if outcome == "RETURN" else amount["amount"] // 2
        report(order_id, "RETURNED", amount={**amount, "amount": back}, returnId=str(uuid.uuid4()))

def prices():
    return {"prices": [{"currency": "EUR", "bid": "0.9198", "ask": "0.9202", "at": timestamp(), "validUntil": timestamp(600)}]}

def deposit():
    return {"deposits": [{"depositId": str(uuid.uuid4()), "state": "RECEIVED", "rail": "SEPA", "at": timestamp(),
                          "amount": {"amount": 1000, "currency": "EUR"}, "to": {"iban": "DE89370400440532013000"}}]}

def refused(reason):
    return {"state": "REFUSED", "reason": reason}, None

def begin(order):
    """The answer to a new order, and what is done afterwards."""
    kind, outcome = order["type"], order.get("testOutcome", "")
    known = {"reference": "py-" + uuid.uuid4().hex[:12]}
    if order["expiresAt"] < timestamp():
        return refused("DEADLINE_PASSED")
    if kind in MONEY_ORDERS:
        if type(order["amount"]["amount"]) is not int:
            return refused("INVALID_ORDER")
        if outcome and outcome.partition(":")[0] not in TEST_OUTCOMES:
            return refused("TEST_NOT_SUPPORTED")
        if outcome.startswith("REFUSE:"):
            return refused(outcome.removeprefix("REFUSE:"))
        return {"state": "ACCEPTED", **known}, lambda: play(order)
    if kind == "TEST_PUSH" and outcome in ("DEPOSIT", "PRICES"):
        path, content = ("deposits", deposit()) if outcome == "DEPOSIT" else ("prices", prices())
        return {"state": "ACCEPTED", **known}, lambda: push(f"{order['reportUrl'].rsplit('/', 1)[0]}/{path}", content)
    decided, wanted = {"state": "DECIDED", **known}, outcome.removeprefix("DECIDE:")
    if kind == "IDENTITY_CHECK":
        return {**decided, "decision": wanted or "REVIEW"}, None
    if kind == "SCREENING":
        return {**decided, "verdict": wanted or "CLEAR", "listVersion": "1", "matches": []}, None
    if kind == "ACCOUNT_OPENING":
        info = {"accountType": "EUR_ACCOUNT", "iban": "DE89370400440532013000", "accountHolderName": order["holderName"]}
        return {**decided, "decision": "OPENED", "instructions": [{"accountOrWalletInfo": info}]}, None
    return refused("INVALID_ORDER")

def take(message_id, body):
    order, digest = json.loads(body), hashlib.sha256(body).digest()
    if order["id"] != message_id:
        return 400, {"message": "webhook-id is the order's id"}
    with lock:  # One order, one answer, however often and however fast it is sent.
        known = orders.get(message_id)
        if known:
            return (200, known["answer"]) if known["digest"] == digest else (409, {"message": "another body"})
        answer, afterwards = begin(order)
        orders[message_id] = {"digest": digest, "answer": answer, "state": answer["state"], "reports": [], "url": order["reportUrl"]}
    if afterwards:
        threading.Thread(target=afterwards, daemon=True).start()
    if order.get("testOutcome", "").startswith("SLOW:"):
        time.sleep(float(order["testOutcome"].removeprefix("SLOW:")))
    return 200, answer

class Handler(BaseHTTPRequestHandler):
    def route(self, method, path, body):
        if (method, path) == ("POST", ["orders"]):
            return take(self.headers["webhook-id"], body)
        if (method, path) == ("GET", ["prices"]):
            return 200, prices()
        order = orders.get(path[1]) if path[0] == "orders" and len(path) > 1 else None
        if order is None:
            return 404, {"state": "NOT_FOUND", "id": path[-1]}
        if (method, path[2:]) == ("POST", ["cancel"]):
            return 200, {"state": report(path[1], "CANCELLED", after=("ACCEPTED",))}
        return 200, {**order["answer"], "id": path[1], "state": order["state"], "sequence": len(order["reports"]), "reports": order["reports"]}

    def serve(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            signed = is_signed(self.headers, body)
            status, content = self.route(self.command, self.path.strip("/").split("/"), body) if signed else (401, {})
        except (ValueError, KeyError, TypeError) as error:
            status, content = 400, {"message": repr(error)}
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    do_GET = do_POST = serve

ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9700"))), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
