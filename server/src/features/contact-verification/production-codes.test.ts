/** Production: codes are random and really sent. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { startMailServer } from '../../../test/kit/outside/mail-server.ts'

const refused = new Set<string>()
const { url: smtpUrl, mails } = await startMailServer({ refuse: (to) => refused.has(to) })
const messages: { to: string; text: string }[] = []
async function keep(request: IncomingMessage): Promise<void> {
  const raw = Buffer.concat(await Array.fromAsync(request))
  messages.push(JSON.parse(raw.toString()) as { to: string; text: string })
}
const gateway = await serveHttp((request, response) => {
  void keep(request).then(() => response.writeHead(200).end())
})

const kit = await startOwnKit({
  SMTP_URL: smtpUrl,
  EMAIL_FROM: 'Acme <no-reply@acme.example>',
  SMS_GATEWAY_URL: gateway.url,
})
const p = await kit.platform({ kind: 'UNREGULATED', environment: 'PRODUCTION', name: 'Acme Pay' })

const GERMAN = { region: 'DE', email: 'eva@example.com', phoneNumber: '+4930123456' }
const codeIn = (text: string | undefined): string =>
  /^(?:Subject: )?(\d{6}) is your/m.exec(text ?? '')?.[1] ?? ''

test('CONT-2 CONT-5 a random code arrives by e-mail and confirms the address; 123456 does not', async () => {
  const customer = await createCustomer(p, GERMAN)
  const path = `/customers/${customer.id}/verify-email` as const
  expectStatus(await p.api.post(path), 204)
  const mail = mails.at(-1)
  assert.deepEqual(mail?.to, ['eva@example.com'])
  assert.equal(mail.from, 'no-reply@acme.example')
  assert.match(mail.text ?? '', /Acme Pay/)
  const code = codeIn(mail.text)
  expectStatus(await p.api.post(path), 204)
  const newer = codeIn(mails.at(-1)?.text)
  const confirm = (given: string) => p.api.post(`${path}/confirm`, { code: given })
  for (const wrong of new Set(['123456', code].filter((one) => one !== newer))) {
    expectError(await confirm(wrong), 400, 'INVALID_INPUT')
  }
  const verified = expectStatus(await confirm(newer), 200)
  assert.equal(verified.contactVerification?.email, 'VERIFIED')
})

test('CONT-2 a code arrives by SMS and confirms the number', async () => {
  const customer = await createCustomer(p, GERMAN)
  const path = `/customers/${customer.id}/verify-phone` as const
  expectStatus(await p.api.post(path), 204)
  const sms = messages.at(-1)
  assert.equal(sms?.to, GERMAN.phoneNumber)
  assert.match(sms.text ?? '', /Acme Pay/)
  const code = codeIn(sms.text)
  const verified = expectStatus(await p.api.post(`${path}/confirm`, { code }), 200)
  assert.equal(verified.contactVerification?.phone, 'VERIFIED')
})

test('CONT-2 CORE-41 where the mail server refuses, the caller may try again under the same key', async () => {
  refused.add('full@example.com')
  const customer = await createCustomer(p, { ...GERMAN, email: 'full@example.com' })
  const path = `/customers/${customer.id}/verify-email` as const
  const headers = { 'idempotency-key': 'refused-once' }
  const answer = await p.api.post(path, undefined, { headers })
  expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.ok(!answer.text.includes('no such mailbox'), 'the cause is only logged')
  refused.clear()
  const before = mails.length
  expectStatus(await p.api.post(path, undefined, { headers }), 204)
  assert.equal(mails.length, before + 1)
})

test('CORE-40 the same key sends once', async () => {
  const customer = await createCustomer(p, GERMAN)
  const before = mails.length
  const headers = { 'idempotency-key': 'send-once' }
  for (let n = 0; n < 3; n += 1) {
    const path = `/customers/${customer.id}/verify-email` as const
    expectStatus(await p.api.post(path, undefined, { headers }), 204)
  }
  assert.equal(mails.length, before + 1)
})
