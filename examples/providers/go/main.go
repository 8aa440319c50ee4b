// A provider for Florin in one file: rails, deposits, identity, screening and prices, in memory, no money moves.
// PROVIDER_SECRET holds its secret, or two with a blank between. A real provider commits orders before it answers.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type object = map[string]any
type order struct {
	body, url     string
	answer, state object // What is answered to the order itself, and to a GET.
}

var iban, layout, secrets = "DE89370400440532013000", "2006-01-02T15:04:05.000Z", strings.Fields(os.Getenv("PROVIDER_SECRET"))
var lock, orders, plays = sync.Mutex{}, map[string]*order{}, map[string][]string{"<nil>": {"SENT", "SETTLED"}, "SETTLE": {"SENT", "SETTLED"}, "SLOW": {"SENT", "SETTLED"}, "FAIL": {"FAILED"},
	"HOLD": {}, "RETURN": {"SENT", "SETTLED", "RETURNED"}, "PARTIAL_RETURN": {"SENT", "SETTLED", "RETURNED"}}
var money = object{"PAYOUT": 1, "PULL": 1, "COLLECTION": 1, "REFUND": 1, "DEPOSIT_RETURN": 1}

func newID() string                     { return fmt.Sprintf("go-%x", time.Now().UnixNano()) }
func timestamp(in time.Duration) string { return time.Now().Add(in).UTC().Format(layout) }

func signature(secret, id, at, body string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func isSigned(headers http.Header, body string) bool {
	id, at, seconds, signed := headers.Get("webhook-id"), headers.Get("webhook-timestamp"), int64(0), false
	fmt.Sscan(at, &seconds)
	for _, given := range strings.Fields(headers.Get("webhook-signature")) {
		for _, secret := range secrets {
			signed = signed || hmac.Equal([]byte(given), []byte(signature(secret, id, at, body)))
		}
	}
	return signed && time.Now().Unix()-seconds <= 300 && seconds-time.Now().Unix() <= 300
}

// push sends the same body again, every second, until it is taken.
func push(url string, content object) {
	body, _ := json.Marshal(content)
	for id := fmt.Sprintf("%x", sha256.Sum256(body)); ; time.Sleep(time.Second) {
		request, _ := http.NewRequest("POST", url, strings.NewReader(string(body)))
		at := fmt.Sprint(time.Now().Unix())
		request.Header = http.Header{"Content-Type": {"application/json"}, "Webhook-Id": {id}, "Webhook-Timestamp": {at},
			"Webhook-Signature": {signature(secrets[0], id, at, string(body))}, "Provider-Protocol-Version": {"1"}}
		response, err := (&http.Client{Timeout: 10 * time.Second}).Do(request)
		if err == nil && response.Body.Close() == nil && response.StatusCode < 300 {
			return
		}
	}
}

func (known *order) report(state string, members object) {
	reports := known.state["reports"].([]object)
	members["orderId"], members["sequence"], members["state"] = known.state["id"], len(reports)+1, state
	members["at"], members["reference"] = timestamp(0), known.answer["reference"]
	known.state["state"], known.state["sequence"], known.state["reports"] = state, len(reports)+1, append(reports, members)
	go push(known.url, object{"reports": []object{members}})
}

// begin answers a new order and starts what follows. A real provider pays here, and reports what its bank says.
func (known *order) begin(asked object) {
	outcome := strings.Split(fmt.Sprint(asked["testOutcome"])+":OTHER", ":")
	amount, _ := asked["amount"].(object)
	number, isNumber := amount["amount"].(float64)
	answer, kind, now, inbox := known.answer, fmt.Sprint(asked["type"]), timestamp(0), strings.TrimSuffix(known.url, "reports")
	switch states, isPlayed := plays[outcome[0]]; {
	case fmt.Sprint(asked["expiresAt"]) < now:
		answer["state"], answer["reason"] = "REFUSED", "DEADLINE_PASSED"
	case outcome[0] == "REFUSE":
		answer["state"], answer["reason"] = "REFUSED", outcome[1]
	case kind == "IDENTITY_CHECK":
		answer["state"], answer["decision"] = "DECIDED", strings.Replace(outcome[1], "OTHER", "REVIEW", 1)
	case kind == "SCREENING":
		answer["state"], answer["verdict"], answer["listVersion"], answer["matches"] = "DECIDED", "CLEAR", "1", []any{}
	case kind == "ACCOUNT_OPENING":
		answer["state"], answer["decision"] = "DECIDED", "OPENED"
		answer["instructions"] = []object{{"accountOrWalletInfo": object{"accountType": "EUR_ACCOUNT", "iban": iban}}}
	case outcome[0] == "PRICES":
		price := object{"currency": "EUR", "bid": "0.9198", "ask": "0.9202", "at": now, "validUntil": timestamp(time.Minute)}
		go push(inbox+"prices", object{"prices": []object{price}})
	case outcome[0] == "DEPOSIT":
		deposit := object{"depositId": newID(), "state": "RECEIVED", "rail": "SEPA", "at": now, "amount": object{"amount": 1000, "currency": "EUR"}}
		go push(inbox+"deposits", object{"deposits": []object{deposit}})
	case money[kind] == nil || !isNumber:
		answer["state"], answer["reason"] = "REFUSED", "INVALID_ORDER"
	case !isPlayed:
		answer["state"], answer["reason"] = "REFUSED", "TEST_NOT_SUPPORTED"
	default:
		for _, state := range states {
			part := map[bool]float64{true: 1, false: number}[outcome[0]+state == "PARTIAL_RETURNRETURNED"]
			known.report(state, object{"amount": object{"amount": part, "currency": amount["currency"]}, "returnId": newID(), "reason": outcome[1]})
		}
	}
	known.state["state"] = map[bool]any{true: answer["state"], false: known.state["state"]}[known.state["sequence"] == 0]
}

func serve(writer http.ResponseWriter, request *http.Request) {
	bytes, _ := io.ReadAll(request.Body)
	path, body, id := append(strings.Split(request.URL.Path, "/"), "", ""), string(bytes), request.Header.Get("webhook-id")
	status, seconds, asked, answer := 200, 0, object{}, object{}
	lock.Lock() // One order begins once, however often and however fast it is sent.
	switch known := orders[path[2]]; {
	case !isSigned(request.Header, body):
		status = 401
	case request.URL.Path != "/orders" && known == nil:
		status, answer = 404, object{"state": "NOT_FOUND", "id": path[2]}
	case known != nil:
		if path[3] == "cancel" && known.state["state"] == "ACCEPTED" {
			known.report("CANCELLED", object{})
		}
		answer = known.state
	case json.Unmarshal(bytes, &asked) != nil || asked["id"] != id || orders[id] != nil && orders[id].body != body:
		status = 409
	case orders[id] == nil:
		state := object{"id": id, "state": "ACCEPTED", "reference": "go-" + id, "sequence": 0, "reports": []object{}}
		orders[id] = &order{body, fmt.Sprint(asked["reportUrl"]), object{"state": "ACCEPTED", "reference": "go-" + id}, state}
		orders[id].begin(asked)
		fmt.Sscanf(fmt.Sprint(asked["testOutcome"]), "SLOW:%d", &seconds)
		fallthrough
	default:
		answer = orders[id].answer
	}
	text, _ := json.Marshal(answer)
	lock.Unlock()
	time.Sleep(time.Duration(seconds) * time.Second)
	writer.Header().Set("content-type", "application/json")
	writer.WriteHeader(status)
	writer.Write(text)
}

func main() {
	listener, _ := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	fmt.Printf("listening on http://%s\n", listener.Addr())
	http.Serve(listener, http.HandlerFunc(serve))
}
