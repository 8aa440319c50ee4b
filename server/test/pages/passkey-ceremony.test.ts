/** Passkeys as a real browser makes them, with a virtual authenticator behind it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { scaRelyingParty } from '../../src/crypto/passkey/relying-party.ts'
import {
  newScaChallenge,
  passkeyCreationOptions,
  passkeyRequestOptions,
  readScaAssertion,
  readScaRegistration,
  verifyScaAssertion,
  verifyScaPasskey,
} from '../../src/crypto/passkey/sca-passkey.ts'
import { verifyWalletAssertion } from '../../src/crypto/passkey/wallet-passkey.ts'
import { openBrowser } from '../kit/pages/browser.ts'
import { serveHttp } from '../kit/outside/loopback-server.ts'

const { port } = await serveHttp((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>Passkeys</title>')
})
const origin = `http://localhost:${port}`
const relyingParty = scaRelyingParty([], 'SANDBOX')!

const browser = await openBrowser()
const page = await browser.newPage()
await page.goto(origin)
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

/** What the page would send: the options go in as JSON, the credential comes out as JSON. */
function inPage(kind: 'create' | 'get', options: unknown): Promise<unknown> {
  const script = `(async (options) => {
    const publicKey = PublicKeyCredential.parse${kind === 'create' ? 'Creation' : 'Request'}OptionsFromJSON(options)
    return (await navigator.credentials.${kind}({ publicKey })).toJSON()
  })(${JSON.stringify(options)})`
  return page.evaluate(script)
}

test('SCA-15 SCA-16 SCA-18 a browser takes our options, and what it makes of them verifies', async () => {
  const challenge = newScaChallenge()
  const user = { id: randomBytes(16), name: 'ann@example.com', displayName: 'Ann' }
  const created = await inPage(
    'create',
    passkeyCreationOptions({
      challenge,
      relyingPartyId: relyingParty.relyingPartyId,
      relyingPartyName: 'Florin',
      user,
    }),
  )
  const response = readScaRegistration(created)
  assert.ok(response)
  const verdict = await verifyScaPasskey({ response, challenge, origin, relyingParty })
  assert.ok(verdict.ok, JSON.stringify(verdict))
  const { passkey } = verdict

  const loginChallenge = newScaChallenge()
  const asked = passkeyRequestOptions({ challenge: loginChallenge, passkey })
  const assertion = readScaAssertion(await inPage('get', asked))
  assert.ok(assertion)
  const login = { response: assertion, passkey, challenge: loginChallenge, origin, relyingParty }
  const first = await verifyScaAssertion(login)
  assert.ok(first.ok, JSON.stringify(first))
  assert.ok(first.counter > passkey.counter)
  const replayed = { ...login, passkey: { ...passkey, counter: first.counter } }
  assert.deepEqual(await verifyScaAssertion(replayed), {
    ok: false,
    reason: 'Passkey signature counter did not increase',
  })

  // Of a wallet login the browser signs the characters of the hex challenge (chapter 20, 3.11).
  const hexChallenge = randomBytes(32).toString('hex')
  const walletAsked = passkeyRequestOptions({ challenge: Buffer.from(hexChallenge), passkey })
  const walletAssertion = readScaAssertion(await inPage('get', walletAsked))
  assert.ok(walletAssertion)
  const walletLogin = await verifyWalletAssertion({
    response: walletAssertion,
    passkey: { ...passkey, counter: first.counter },
    challenge: hexChallenge,
    configuredOrigins: [],
  })
  assert.deepEqual(walletLogin, { ok: true, counter: first.counter + 1, isUserVerified: true })
})
