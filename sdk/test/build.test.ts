/** The package as it is published: plain JavaScript with types, the core without a dependency. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startKit } from '../../server/test/kit/florin.ts'

const ROOT = join(import.meta.dirname, '../..')
const kit = await startKit()
const scratch = await mkdtemp(join(tmpdir(), 'florin-sdk-'))
after(() => rm(scratch, { recursive: true, force: true }))

const installed = join(scratch, 'node_modules/@florin/sdk')
await mkdir(join(scratch, 'node_modules/@florin'), { recursive: true })
execFileSync(process.execPath, [join(ROOT, 'tools/build-sdk.ts'), installed])

/** A program of somebody who has installed the package and nothing else; without type stripping. */
async function run(program: string, env: Record<string, string> = {}): Promise<string> {
  const path = join(scratch, 'program.mjs')
  await writeFile(path, program)
  const flags = ['--no-experimental-strip-types', path]
  // The service that it calls is in this process, so nothing here may wait for it blocking.
  const { stdout } = await promisify(execFile)(process.execPath, flags, {
    env: { ...process.env, ...env },
  })
  return stdout
}

test('the core runs as plain JavaScript, with nothing else installed', async () => {
  const { clientId, clientSecret } = await kit.platform()
  const output = await run(
    `import { createFlorin, verifyWebhook, API_VERSION } from '@florin/sdk'
     const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env
     const florin = createFlorin({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })
     const customer = await florin.customers.create({ customerType: 'INDIVIDUAL' })
     console.log(API_VERSION, customer.id, typeof verifyWebhook)`,
    { BASE_URL: kit.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
  )
  assert.match(output, /^2025-10-13 Customer:[0-9a-f-]{36} function\n$/)
})

test('the wallet entry point needs its libraries, and they alone', async () => {
  const { dependencies = {} } = JSON.parse(
    await readFile(join(installed, 'package.json'), 'utf8'),
  ) as { dependencies?: Record<string, string> }
  const needed = [...Object.keys(dependencies), '@hpke/common']
  for (const name of needed) {
    await mkdir(join(scratch, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(scratch, 'node_modules', name))
  }
  const output = await run(
    `import { createDeviceKey, stamp } from '@florin/sdk/wallet'
     console.log(await stamp(await createDeviceKey(), 'text'))`,
  )
  const stamped = JSON.parse(Buffer.from(output, 'base64url').toString()) as { scheme: string }
  assert.equal(stamped.scheme, 'SIGNATURE_SCHEME_TK_API_P256')
})

test('the package brings types, licence and readme, and no tests or sources', async () => {
  for (const file of ['index.d.ts', 'wallet.d.ts', 'LICENSE', 'README.md']) {
    assert.ok(existsSync(join(installed, file)), file)
  }
  assert.ok(!existsSync(join(installed, 'index.ts')))
  const types = await readFile(join(installed, 'generated/resources/quotes.d.ts'), 'utf8')
  assert.match(types, /\* Execute a quote\./, 'with what the methods do')
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>
  }
  for (const entry of Object.values(exports)) {
    assert.ok(
      existsSync(join(installed, entry.types)) && existsSync(join(installed, entry.default)),
    )
  }
})
