/** A whole wallet login with a passkey, as a page in a real browser does it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, text } from '../kit/api.ts'
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

type Credential = Readonly<{ id: string; response: Readonly<Record<string, string>> }>

/** The options go in as JSON, the credential comes out as JSON. */
function inPage(kind: 'create' | 'get', options: object): Promise<Credential> {
  const script = `(async (options) => {
    const publicKey = PublicKeyCredential.parse${kind === 'create' ? 'Creation' : 'Request'}OptionsFromJSON(options)
    return (await navigator.credentials.${kind}({ publicKey })).toJSON()
  })(${JSON.stringify(options)})`
  return page.evaluate(script)
}

test('CRED-13 VRFY-9 scenario 5: what a browser makes is taken, and its session signs', async () => {
  const wallet = await newWallet(kit, { customer: { email: undefined } })
  const { api, accountId } = wallet
  const challenge = randomBytes(32).toString('base64url')
  const created = await inPage('create', {
    challenge,
    rp: { id: 'localhost', name: 'Wallet' },
    user: { id: randomBytes(16).toString('base64url'), name: 'ann', displayName: 'Ann' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  })
  const credential = expectStatus(
    await api.post('/auth/credentials', {
      type: 'PASSKEY',
      accountId,
      nickname: 'Browser',
      challenge,
      attestation: {
        credentialId: created.id,
        clientDataJson: created.response['clientDataJSON'],
        attestationObject: created.response['attestationObject'],
        transports: created.response['transports'],
      },
    }),
    201,
  )
  assert.equal(text(credential.credentialId), created.id)

  const device = newDeviceKey()
  const clientPublicKey = device.publicKeyUncompressed
  const path = `/auth/credentials/${credential.id}` as const
  const asked = expectStatus(await api.post(`${path}/challenge`, { clientPublicKey }), 200)
  const got = await inPage('get', {
    challenge: Buffer.from(text(asked.challenge), 'utf8').toString('base64url'),
    rpId: 'localhost',
    allowCredentials: [{ type: 'public-key', id: created.id }],
  })
  const assertion = {
    credentialId: got.id,
    clientDataJson: got.response['clientDataJSON'],
    authenticatorData: got.response['authenticatorData'],
    signature: got.response['signature'],
    userHandle: got.response['userHandle'],
  }
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
