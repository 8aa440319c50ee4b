import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSandboxReceiver, findSandboxSender, isSandboxAddress } from './sandbox-directory.ts'
import { mustParseUmaAddress } from './address.ts'

const sandboxDomain = 'sandbox.uma.test'
const at = (local: string, domain = sandboxDomain) => ({
  address: mustParseUmaAddress(`$${local}@${domain}`),
  sandboxDomains: [sandboxDomain, 'play.example.org', `eu.${sandboxDomain}`],
})

/** Section 9.4 in words: what a look-up, a quote and the payment answer, and what it does as a sender. */
const DIRECTORY = `
  address             | as receiver                                  | as sender
  success.usd         | USD, complete at 0                           | USD, asks at 0
  success.eur         | EUR, complete at 0                           | EUR, asks at 0
  success.mxn         | MXN, complete at 0                           | MXN, asks at 0
  pending.long.usd    | USD, complete at 360                         | USD, asks at 360
  fail.compliance.usd | USD, fail COMPLIANCE_REJECTED at 0           | USD, COMPLIANCE_REJECTED
  needs.payerdata.usd | USD, complete at 0, needs FULL_NAME BIRTH_DATE | USD, asks at 0, needs FULL_NAME
  fail.version.usd    | look-up UNSUPPORTED_UMA_VERSION              | UMA_NOT_FOUND
  fail.lnurlp.usd     | look-up LNURLP_REQUEST_FAILED                | UMA_NOT_FOUND
  fail.pubkey.usd     | look-up COUNTERPARTY_PUBKEY_FETCH_ERROR      | UMA_NOT_FOUND
  fail.payreq.usd     | USD, quote PAYREQ_REQUEST_FAILED             | UMA_NOT_FOUND
  fail.sender.usd     | USD, quote SENDER_NOT_ACCEPTED               | UMA_NOT_FOUND
  nobody              | look-up UMA_NOT_FOUND                        | UMA_NOT_FOUND
  constructor         | look-up UMA_NOT_FOUND                        | UMA_NOT_FOUND
`

function receiverEvents(local: string): string {
  const looked = findSandboxReceiver(at(local))
  if (!looked.ok) return `look-up ${looked.code}`
  const { currency, quoteRefusal, payout, asksOfPayer } = looked.found
  if (quoteRefusal) return `${currency}, quote ${quoteRefusal}`
  const steps = payout.map((step) =>
    [step.event, 'reason' in step && step.reason, `at ${step.afterSeconds}`]
      .filter(Boolean)
      .join(' '),
  )
  const needs = asksOfPayer.filter((field) => field.mandatory).map((field) => field.name)
  return [currency, ...steps, ...(needs.length > 0 ? [`needs ${needs.join(' ')}`] : [])].join(', ')
}

function senderEvents(local: string): string {
  const looked = findSandboxSender(at(local))
  if (!looked.ok) return looked.code
  const { currency, failure, approvalAfterSeconds, asksOfPayee } = looked.found
  const needs = asksOfPayee.filter((field) => field.mandatory).map((field) => field.name)
  return [
    currency,
    failure ?? `asks at ${approvalAfterSeconds}`,
    ...(needs.length > 0 ? [`needs ${needs.join(' ')}`] : []),
  ].join(', ')
}

for (const line of DIRECTORY.trim().split('\n').slice(1)) {
  const [local = '', asReceiver, asSender] = line.split('|').map((cell) => cell.trim())
  test(`section 9.4: $${local} of the sandbox answers as listed, as receiver and as sender`, () => {
    assert.equal(receiverEvents(local), asReceiver)
    assert.equal(senderEvents(local), asSender)
  })
}

test('UMA-7 9.4 the blocked subdomain is not allowed, other subdomains have no addresses', () => {
  const blocked = findSandboxReceiver(at('success.usd', `blocked.${sandboxDomain}`))
  assert.deepEqual(blocked, { ok: false, code: 'COUNTERPARTY_NOT_ALLOWED' })
  const other = findSandboxReceiver(at('success.usd', `latam.${sandboxDomain}`))
  assert.deepEqual(other, { ok: false, code: 'UMA_NOT_FOUND' })
  assert.equal(findSandboxSender(at('success.usd', `latam.${sandboxDomain}`)).ok, false)
})

test('UMA-2 the sandbox answers for its domain and its subdomains, not for domains that merely end alike', () => {
  assert.equal(isSandboxAddress(at('a')), true)
  assert.equal(isSandboxAddress(at('a', `latam.${sandboxDomain}`)), true)
  assert.equal(isSandboxAddress(at('a', `not${sandboxDomain}`)), false)
  assert.equal(isSandboxAddress(at('a', 'example.com')), false)
})

test('section 9.4: every listed domain works alike, one listed below another included', () => {
  for (const domain of ['play.example.org', `eu.${sandboxDomain}`]) {
    assert.ok(findSandboxReceiver(at('success.usd', domain)).ok, domain)
    assert.ok(findSandboxSender(at('success.usd', domain)).ok, domain)
    const refused = { ok: false, code: 'COUNTERPARTY_NOT_ALLOWED' }
    assert.deepEqual(findSandboxReceiver(at('success.usd', `blocked.${domain}`)), refused)
    const other = findSandboxReceiver(at('success.usd', `latam.${domain}`))
    assert.deepEqual(other, { ok: false, code: 'UMA_NOT_FOUND' })
  }
})
