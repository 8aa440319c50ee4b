/** A whole wallet login with a passkey, as a page in a real browser does it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, text } from '../kit/api.ts'
import { readPage } from '../kit/pages/doc-examples.ts'
import { openBrowser } from '../kit/pages/browser.ts'
import { startKit } from '../kit/florin.ts'
import { serveHttp } from '../kit/outside/loopback-server.ts'
import { newDeviceKey, openSessionKey } from '../kit/wallets/client.ts'
import { newWallet, signBoth, signedHeaders } from '../kit/wallets/wallets.ts'

const { port } = await serveHttp((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Wallet</title>')
})
const kit = await startKit()
const browser = await openBrowser()
const page = await browser.newPage()
await page.goto(`http://localhost:${port}`)
const devtools = await page.context().newCDPSession(page)
await devtools.send('WebAuthn.enable')
await devtools.send('WebAuthn.addVirtualAuthenticator', {
  options: {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
})

const { files } = await readPage('docs/guides/embedded-wallets.md')
const GUIDE = (files.get('passkey.mjs') ?? '').replaceAll(/^export /gm, '')

/** Calls a function of the guide's program in the page. */
const inPage = (
  name: 'createPasskey' | 'usePasskey',
  given: object,
): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(`(() => { ${GUIDE}; return ${name}(${JSON.stringify(given)}) })()`)

test('CRED-13 VRFY-9 scenario 5: what a browser makes is taken, and its session signs', async () => {
  const wallet = await newWallet(kit, { customer: { email: undefined } })
  const { api, accountId } = wallet
  const challenge = randomBytes(32).toString('base64url')
  const user = { id: randomBytes(16).toString('base64url'), name: 'ann', displayName: 'Ann' }
  const attestation = await inPage('createPasskey', { challenge, rpId: 'localhost', user })
  const credential = expectStatus(
    await api.post('/auth/credentials', {
      type: 'PASSKEY',
      accountId,
      nickname: 'Browser',
      challenge,
      attestation,
    }),
    201,
  )
  assert.equal(text(credential.credentialId), attestation['credentialId'])

  const device = newDeviceKey()
  const clientPublicKey = device.publicKeyUncompressed
  const path = `/auth/credentials/${credential.id}` as const
  const asked = expectStatus(await api.post(`${path}/challenge`, { clientPublicKey }), 200)
  const { challenge: characters, credentialId } = asked
  const assertion = await inPage('usePasskey', {
    challenge: characters,
    credentialId,
    rpId: 'localhost',
  })
  const headers = signedHeaders({ requestId: text(asked.requestId) })
  const session = expectStatus(
    await api.post(`${path}/verify`, { type: 'PASSKEY', assertion }, { headers }),
    200,
  )
  const encryptedSessionSigningKey = text(session.encryptedSessionSigningKey)
  const sessionKey = openSessionKey({ encryptedSessionSigningKey, device })
  const change = (given = {}) =>
    api.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, { headers: given })
  assert.ok(expectStatus(await signBoth(change, sessionKey), 200).privateEnabled)
})
