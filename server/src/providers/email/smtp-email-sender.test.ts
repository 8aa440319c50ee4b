import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveBytes } from '../../../test/kit/outside/loopback-server.ts'
import { startMailServer } from '../../../test/kit/outside/mail-server.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { emailSenderFor } from './email-sender-for.ts'
import { smtpEmailSender } from './smtp-email-sender.ts'

const emailFrom = 'Acme Pay <no-reply@acme.example>'
const MAIL = { to: 'ana@example.com', subject: '123456 is your code', text: 'Código: 123456\n' }

const isUnavailable = (error: ApiError): boolean => {
  assert.equal(error.code, 'SERVICE_UNAVAILABLE')
  assert.match(error.headers?.['Retry-After'] ?? '', /^\d+$/)
  return true
}

test('CONT-2 a mail arrives at a real server, under credentials', async () => {
  const { url, mails } = await startMailServer({ user: 'florin', password: 'p@ss word' })
  const smtpUrl = url.replace('p@ss word', encodeURIComponent('p@ss word'))
  await smtpEmailSender({ smtpUrl, emailFrom }).send(MAIL)
  const [mail, ...rest] = mails
  assert.equal(rest.length, 0)
  assert.equal(mail?.from, 'no-reply@acme.example')
  assert.deepEqual(mail.to, ['ana@example.com'])
  assert.match(mail.text ?? '', /^From: Acme Pay <no-reply@acme\.example>/m)
  assert.match(mail.text ?? '', /^Subject: 123456 is your code/m)
  assert.match(mail.text ?? '', /C=C3=B3digo: 123456/)
})

test('an address never becomes a second recipient or a header', async () => {
  const { url, mails } = await startMailServer()
  const to = 'ana@example.com,eve@example.com'
  const hostile = { ...MAIL, to, subject: 'x\r\nBcc: eve@example.com' }
  await smtpEmailSender({ smtpUrl: url, emailFrom })
    .send(hostile)
    .catch(() => undefined)
  for (const mail of mails) {
    assert.ok(!mail.to.includes('eve@example.com'))
    assert.doesNotMatch(mail.text, /^Bcc/m)
  }
})

test('wrong credentials, a refused mailbox, silence and an unreachable server answer unavailable; the cause is only logged', async () => {
  const strict = await startMailServer({ user: 'florin', password: 'right' })
  const full = await startMailServer({ refuse: () => true })
  const rude = await serveBytes((socket) => socket.end('no\r\n'))
  const urls = [
    strict.url.replace('right', 'wrong'),
    full.url,
    `smtp://127.0.0.1:${rude.port}`,
    'smtp://127.0.0.1:1',
  ]
  for (const smtpUrl of urls) {
    await assert.rejects(smtpEmailSender({ smtpUrl, emailFrom }).send(MAIL), isUnavailable)
  }
  assert.deepEqual([strict.mails, full.mails], [[], []])
})

test('a sandbox sends no mail; production without a mail server is not implemented', async () => {
  const { url, mails } = await startMailServer()
  const settings = { smtpUrl: url, emailFrom }
  await emailSenderFor({ environment: 'SANDBOX' }, settings).send(MAIL)
  assert.deepEqual(mails, [])
  await emailSenderFor({ environment: 'PRODUCTION' }, settings).send(MAIL)
  assert.equal(mails.length, 1)
  assert.throws(
    () => emailSenderFor({ environment: 'PRODUCTION' }, { smtpUrl: undefined, emailFrom }),
    (error: ApiError) => error.code === 'NOT_IMPLEMENTED',
  )
})
