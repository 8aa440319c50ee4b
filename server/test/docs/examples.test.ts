import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'
import { startReceiver } from '../kit/receiver.ts'

const kit = await startKit()
const platform = await kit.platform()
const receiver = await startReceiver()
after(() => receiver.stop())

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const PRINTED_ADDRESS = 'http://127.0.0.1:8080/2025-10-13'

/** The shell blocks of a page that are marked as examples, by name. */
async function examplesOf(page: string): Promise<Map<string, string>> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = text.matchAll(/<!-- example: ([\w-]+) -->\n+```sh\n(.*?)```/gs)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

/** Runs blocks as a reader would, one after the other in one shell, against this service. */
async function shell(...blocks: (string | undefined)[]): Promise<string> {
  const script = ['set -euo pipefail', ...blocks]
    .join('\n')
    .replaceAll(PRINTED_ADDRESS, kit.baseUrl)
  const env = {
    ...process.env,
    CLIENT_ID: platform.clientId,
    CLIENT_SECRET: platform.clientSecret,
    ENDPOINT: receiver.url,
  }
  const { stdout } = await run('bash', ['-c', script], { env })
  return stdout
}

const readme = await examplesOf('README.md')

test('the README names its webhook endpoint and funds an account, and a signed event arrives', async () => {
  const output = await shell(
    readme.get('first-steps')?.split('\n\n')[0],
    readme.get('webhook-endpoint'),
    readme.get('first-steps'),
  )
  assert.match(output, /"webhookEndpoint":"http:\/\/127\.0\.0\.1/)
  assert.match(output, /"balance":\{"amount":200000,/)
  assert.match(output, /"type":"INTERNAL_ACCOUNT\.BALANCE_UPDATED"/)
  const arrived = await eventually(() => {
    const [delivery] = receiver.ofType('INCOMING_PAYMENT.COMPLETED')
    assert.ok(delivery)
    return delivery
  })
  assert.ok(arrived.headers['x-service-signature'])
})
