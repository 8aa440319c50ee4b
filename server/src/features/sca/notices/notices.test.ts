/** Production: notices of changed factors are sent to the contacts held before the change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { expectStatus, text } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { serveHttp } from '../../../../test/kit/outside/loopback-server.ts'
import { startMailServer } from '../../../../test/kit/outside/mail-server.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  completion,
  newScaCustomer,
  PHONE,
  startSmsLogin,
  type Sca,
} from '../../../../test/kit/sca/sca.ts'

type Sms = Readonly<{ to: string; text: string }>

const received: Sms[] = []
let refusals = 0
const gateway = await serveHttp((request, response) => {
  void Array.fromAsync(request).then((parts) => {
    const sms = JSON.parse(Buffer.concat(parts).toString()) as Sms
    const isRefused = refusals > 0 && isNotice(sms)
    if (isRefused) refusals -= 1
    else received.push(sms)
    response.writeHead(isRefused ? 503 : 200).end()
  })
})
const { url: smtpUrl, mails } = await startMailServer()
const kit = await startOwnKit({
  SMS_GATEWAY_URL: gateway.url,
  SMTP_URL: smtpUrl,
  EMAIL_FROM: 'Acme <no-reply@acme.example>',
})
const platform = await kit.platform({ environment: 'PRODUCTION', name: 'Acme Pay' })

const isNotice = ({ text: words }: Sms): boolean => words.startsWith('Acme Pay: on ')
const noticesTo = (number: string): string[] =>
  received.filter((sms) => sms.to === number && isNotice(sms)).map((sms) => sms.text)
/** The texts of messages, with folded lines joined. */
const mailsTo = (address: string): string[] =>
  mails.filter(({ to }) => to.includes(address)).map((mail) => mail.text.replaceAll('=\r\n', ''))

/** Logs in with the code that was sent. */
async function logIn(sca: Sca, number: string): Promise<void> {
  const isCode = ({ to, text: words }: Sms): boolean => to === number && /^\d{6} /.test(words)
  const before = received.filter(isCode).length
  const challengeId = await startSmsLogin(sca)
  await eventually(() => assert.equal(received.filter(isCode).length, before + 1))
  const code = received.findLast(isCode)?.text.slice(0, 6)
  expectStatus(await sca.post('/login/complete', completion(challengeId, code)), 200)
}

test('SCA-59 a changed number is announced to the former number and the address, without code or link', async () => {
  const email = 'ann@example.com'
  const sca = await newScaCustomer(platform, { email })
  await logIn(sca, PHONE)
  refusals = 1
  const change = { customerType: 'INDIVIDUAL', phoneNumber: '+4915187654321' }
  expectStatus(await platform.api.patch(`/customers/${sca.customerId}`, change), 200)
  await eventually(() => assert.equal(mailsTo(email).length, 1))
  await eventually(() => assert.equal(noticesTo(PHONE).length, 1))
  assert.equal(refusals, 0, 'the gateway refused it once, and it was sent again')
  assert.deepEqual(noticesTo('+4915187654321'), [])
  const [sms = ''] = noticesTo(PHONE)
  assert.match(
    sms,
    /^Acme Pay: on \d{4}-\d\d-\d\d \d\d:\d\d UTC the phone number for codes was changed\. If this was not you, contact Acme Pay at once\.$/,
  )
  const [mail = ''] = mailsTo(email)
  assert.match(mail, /Subject: Your security settings at Acme Pay changed/)
  for (const words of [sms, mail.slice(mail.indexOf('Subject:'))]) {
    assert.doesNotMatch(words, /https?:|\b\d{6}\b/)
  }
  await logIn(sca, '+4915187654321')
})

test('SCA-59 an enrolment is announced to the only contact of a customer', async () => {
  const email = 'app@example.com'
  const sca = await newScaCustomer(platform, { email, phoneNumber: undefined })
  const start = await sca.post('/factors', { type: 'TOTP' })
  const { secret, secretBase32Encoded } = expectStatus(start, 200)
  const code = new TOTP({ secret: Secret.fromBase32(text(secretBase32Encoded)) }).generate()
  expectStatus(await sca.post('/factors/confirm', { type: 'TOTP', secret, code }), 200)
  await eventually(() => assert.equal(mailsTo(email).length, 1))
  assert.match(mailsTo(email)[0] ?? '', /a new authenticator app was added to your account/)
})

test('SCA-59 a reset and its completion are announced; notices count towards no limit', async () => {
  const number = '+4915112345600'
  const email = 'eva@example.com'
  const sca = await newScaCustomer(platform, { email, phoneNumber: number })
  const reset = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const { pathname, search } = new URL(reset.verificationLink)
  await fetch(new URL(`${pathname}/submit${search}`, kit.baseUrl), { method: 'POST' })
  await operate(kit, `sca-resets approve ${reset.resetId}`)
  const mobile = { countryCode: '+49', number: '15112345601' }
  const path = `/factors/reset/${reset.resetId}/complete` as const
  expectStatus(await sca.post(path, { mobile }), 204)
  await eventually(() => {
    const words = noticesTo(number).join('\n')
    assert.match(words, /a reset of the phone number for codes was started/)
    assert.match(words, /the phone number for codes was reset/)
    assert.equal(mailsTo(email).length, 2)
  })
  assert.deepEqual(noticesTo('+4915112345601'), [])
  for (let sent = 0; sent < 10; sent += 1) await startSmsLogin(sca)
})
