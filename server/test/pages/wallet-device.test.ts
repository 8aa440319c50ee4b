/**
 * A device in a browser, a platform on its server: the page holds the key and runs `@florin/sdk/wallet` as it is
 * published, the server holds the client secret and relays what is to be signed.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { after, test } from 'node:test'
import { createFlorin, SignatureRequiredError, type SignedOptions } from '@florin/sdk'
import { openBrowser } from '../kit/pages/browser.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'
import { startKit } from '../kit/florin.ts'
import { serveHttp } from '../kit/outside/loopback-server.ts'

const kit = await startKit()
const built = await mkdtemp(join(tmpdir(), 'florin-device-'))
after(() => rm(built, { recursive: true, force: true }))
execFileSync(process.execPath, [join(ROOT, 'tools/sdk/build-sdk.ts'), built])

/** What a bundler would do: packages by their names. */
const IMPORTS = {
  '@florin/sdk/wallet': '/sdk/wallet.js',
  '@hpke/core': '/packages/@hpke/core/esm/mod.js',
  '@hpke/common': '/packages/@hpke/common/esm/mod.js',
  '@noble/curves/': '/packages/@noble/curves/',
  '@noble/hashes/': '/packages/@noble/hashes/',
  '@scure/base': '/packages/@scure/base/index.js',
}
const PAGE = `<!doctype html><title>Device</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
  import { createDeviceKey, sealOtp, stamp } from '@florin/sdk/wallet'
  const key = await createDeviceKey()
  window.device = {
    publicKey: key.publicKey,
    seal: (given) => sealOtp({ ...given, key }),
    stamp: (payload) => stamp(key, payload),
  }
</script>`

function fileOf(url: string): string {
  const path = normalize(url)
  return path.startsWith('/sdk/')
    ? join(built, path.slice('/sdk/'.length))
    : join(ROOT, 'node_modules', path.slice('/packages/'.length))
}

const { port } = await serveHttp((request, response) => {
  const { url = '/' } = request
  if (url === '/') return void response.setHeader('content-type', 'text/html').end(PAGE)
  response.setHeader('content-type', 'text/javascript')
  void readFile(fileOf(url)).then(
    (text) => response.end(text),
    () => response.writeHead(404).end(),
  )
})
const browser = await openBrowser()
const page = await browser.newPage()
const problems: string[] = []
page.on('pageerror', (error) => problems.push(error.message))
await page.goto(`http://localhost:${port}`)
await page.waitForFunction('window.device !== undefined')

const onDevice = (method: 'seal' | 'stamp', given: unknown): Promise<string> =>
  page.evaluate(`window.device.${method}(${JSON.stringify(given)})`)

/** The server's part of every signed call. */
async function relayed<R>(call: (options: SignedOptions) => Promise<R>): Promise<R> {
  const error = await call({}).then(
    () => assert.fail('it has to be signed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof SignatureRequiredError)
  const { payloadToSign, requestId } = error.challenge
  return call({ signature: { stamp: await onDevice('stamp', payloadToSign), requestId } })
}

test('SIGN-1 a key made in a browser logs in and signs a payout', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'USDB', 'USDC'] })
  const florin = createFlorin({ baseUrl: kit.baseUrl, ...platform })
  const customer = await florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Mira Example',
    email: 'mira@example.com',
  })
  const query = { customerId: customer.id, type: 'EMBEDDED_WALLET' } as const
  const [wallet] = await florin.customers.internalAccounts.list(query).toArray()
  assert.ok(wallet)
  await florin.sandbox.fund(wallet.id, { amount: 50_000_000 })

  const [credential] = await florin.auth.credentials.list({ accountId: wallet.id }).toArray()
  assert.ok(credential)
  const { publicKey: signerPublicKey } = await florin.auth.getWalletSigner()
  const challenge = await florin.auth.credentials.challenge(credential.id)
  const encryptedOtpBundle = await onDevice('seal', { code: '000000', challenge, signerPublicKey })
  const session = await relayed((options) =>
    florin.auth.credentials.verify(
      credential.id,
      { type: 'EMAIL_OTP', encryptedOtpBundle },
      options,
    ),
  )
  assert.equal(session.accountId, wallet.id)

  const payee = await florin.customers.externalAccounts.create({
    customerId: customer.id,
    currency: 'USDC',
    accountInfo: {
      accountType: 'SOLANA_WALLET',
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
  })
  const quote = await florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: wallet.id },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  })
  const paid = await relayed((options) => florin.quotes.execute(quote.id, undefined, options))
  assert.equal(paid.status, 'PROCESSING')
  assert.deepEqual(problems, [])
})
