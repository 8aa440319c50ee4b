/** The samples of a call as texts; that they run is proven in server/test/samples. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

type Sample = (language: string, options: object) => string
const { languagesOf, sampleOf } = (await import(
  new URL('samples.js', import.meta.url).href
)) as Readonly<{ languagesOf(operation: object): string[]; sampleOf: Sample }>

const id = {
  name: 'id',
  in: 'path',
  required: true,
  example: 'Thing:1',
  schema: { type: 'string' },
}
const operation = {
  method: 'POST',
  path: '/things/{id}/names',
  access: 'basic',
  parameters: [id],
  body: { mediaType: 'application/json' },
  sdkMethod: 'things.rename',
  hasAnswer: true,
}
const draft = {
  values: {},
  idempotencyKey: 'key-1',
  bodyText: '{"name": "O\'Neil", "isMain": true}',
  parts: [],
}
const serverUrl = 'https://pay.example.com/2025-10-13'
const inAll = (changes: object = {}, drafted: object = {}): string[] =>
  languagesOf({ ...operation, ...changes }).map((language) =>
    sampleOf(language, {
      operation: { ...operation, ...changes },
      draft: { ...draft, ...drafted },
      serverUrl,
    }),
  )

test('OPER-182 a call is shown in three languages, its secrets in variables', () => {
  assert.deepEqual(inAll(), [
    `curl -X POST https://pay.example.com/2025-10-13/things/Thing:1/names \\
  -u "$FLORIN_CLIENT_ID:$FLORIN_CLIENT_SECRET" \\
  -H 'Idempotency-Key: key-1' \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "O'\\''Neil", "isMain": true}'`,
    `import { createFlorin } from '@florin/sdk'

const florin = createFlorin({
  baseUrl: 'https://pay.example.com',
  clientId: process.env.FLORIN_CLIENT_ID!,
  clientSecret: process.env.FLORIN_CLIENT_SECRET!,
})

const answer = await florin.things.rename(
  'Thing:1',
  { name: "O'Neil", isMain: true },
  { idempotencyKey: 'key-1' },
)
console.log(answer)`,
    `import base64
import json
import os
import urllib.request

credentials = os.environ["FLORIN_CLIENT_ID"] + ":" + os.environ["FLORIN_CLIENT_SECRET"]
authorization = "Basic " + base64.b64encode(credentials.encode()).decode()
body = {"name": "O'Neil", "isMain": True}

request = urllib.request.Request(
    "https://pay.example.com/2025-10-13/things/Thing:1/names",
    method="POST",
    headers={
        "Authorization": authorization,
        "Content-Type": "application/json",
        "Idempotency-Key": "key-1",
    },
    data=json.dumps(body).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`,
  ])
})

test('OPER-182 what was typed takes the place of the example', () => {
  for (const sample of inAll({}, { values: { 'path:id': 'Thing:2' } })) {
    assert.match(sample, /Thing:2/)
    assert.doesNotMatch(sample, /Thing:1/)
  }
})

test('OPER-182 the SDK signs for a wallet; the other languages take the headers from variables', () => {
  const header = { name: 'Service-Wallet-Signature', in: 'header', schema: { type: 'string' } }
  const signed = inAll({ isSigned: true, parameters: [id, header] })
  const [curl = '', typescript = '', python = ''] = signed
  assert.match(curl, /-H "Service-Wallet-Signature: \$FLORIN_WALLET_SIGNATURE"/)
  assert.match(curl, /-H "Request-Id: \$FLORIN_REQUEST_ID"/)
  assert.match(typescript, /\{ sign: stampWith\(deviceKey\), idempotencyKey: 'key-1' \}/)
  assert.match(python, /"Service-Wallet-Signature": os\.environ\["FLORIN_WALLET_SIGNATURE"\]/)
})

test('OPER-182 an operation that the SDK does not have is shown in the other two', () => {
  const samples = inAll({ sdkMethod: undefined, access: 'operator' })
  assert.equal(samples.length, 2)
  for (const sample of samples) assert.match(sample, /FLORIN_OPERATOR_TOKEN/)
})
