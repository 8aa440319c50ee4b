/** Every sample of the reference is run, with ids and credentials of a sandbox in it, and succeeds (OPER-183). */
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { describe } from '../../src/app/description.ts'
import { operations } from '../../src/app/operations.ts'
import { isStream, takesKey, type Operation } from '../../src/infra/http/operation.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { expectStatus } from '../kit/api.ts'
import { startKit } from '../kit/florin.ts'
import { fund, platformAccount } from '../kit/payments.ts'
import { keepExchange } from '../kit/pages/record-exchanges.ts'
import { isInstalled } from '../kit/processes/is-installed.ts'
import { bearer } from '../kit/setups/agents.ts'
import { signedBy, type Challenge } from '../kit/wallets/wallets.ts'
import { fill } from '../contract/calls.ts'
import { createModel, LANGUAGES, sampleOf, type SampleLanguage } from './page-samples.ts'
import { startRunner, type Environment } from './run-samples.ts'
import { newSetting, type Situation } from './situations/situation.ts'
import { prepare } from './situations/situations.ts'

const PROGRAMS: Readonly<Record<SampleLanguage, string | undefined>> = {
  curl: 'curl',
  TypeScript: undefined,
  Python: 'python3',
}

async function isRunnable(t: TestContext, language: SampleLanguage): Promise<boolean> {
  const program = PROGRAMS[language]
  if (program === undefined || (await isInstalled(program, '--version'))) return true
  t.diagnostic(`not run: the samples in ${language}: ${program} is not installed here`)
  return false
}

function sampleIn({ model, kit }: Running, { language, operation, situation }: Asked): string {
  const { params = {}, query = {}, body, parts = [], device } = situation
  const described = model.operationById.get(operation.id)
  assert.ok(described)
  const named = (place: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => [`${place}:${name}`, value] as const)
  return sampleOf(language, {
    operation: { ...described, isSigned: device !== undefined },
    draft: {
      values: Object.fromEntries([...named('path', params), ...named('query', query)]),
      idempotencyKey: takesKey(operation) ? newUuid() : '',
      bodyText: body === undefined ? '' : JSON.stringify(body, null, 2),
      parts,
    },
    serverUrl: kit.baseUrl,
  })
}

/** What the variables of the samples hold; where the language cannot sign, the first call is made here. */
async function environmentFor(
  { setting }: Running,
  { language, operation, situation }: Asked,
): Promise<Environment> {
  const { platform = setting.platform, agentToken, device } = situation
  const credentials = {
    FLORIN_CLIENT_ID: platform.clientId,
    FLORIN_CLIENT_SECRET: platform.clientSecret,
    ...(agentToken !== undefined && { FLORIN_AGENT_TOKEN: agentToken }),
  }
  if (!device) return credentials
  if (language === 'TypeScript') return { ...credentials, FLORIN_DEVICE_KEY: device.privateKey }
  const { method, path } = operation
  const api = agentToken === undefined ? platform.api : bearer(platform.api, agentToken)
  const asked = await api.send(method, fill(path, situation.params), {
    headers: { 'content-type': 'application/json' },
    ...(situation.body !== undefined && { body: JSON.stringify(situation.body) }),
  })
  const signed = await signedBy(device, expectStatus(asked, 202) as unknown as Challenge)
  return {
    ...credentials,
    FLORIN_WALLET_SIGNATURE: signed['Service-Wallet-Signature'] ?? '',
    FLORIN_REQUEST_ID: signed['Request-Id'] ?? '',
  }
}

type Asked = Readonly<{ language: SampleLanguage; operation: Operation; situation: Situation }>
type Running = Awaited<ReturnType<typeof startSamples>>

async function startSamples() {
  const kit = await startKit()
  const runner = await startRunner()
  after(() => runner.stop())
  const model = createModel(describe(kit.florin.deps.settings))
  return { kit, runner, model, setting: await newSetting(kit) }
}

const keepStream = (printed: string): void =>
  keepExchange({
    operationId: 'streamEvents',
    status: 200,
    request: { query: { after: '0' } },
    answer: `${printed.slice(0, printed.indexOf('\n\n', printed.indexOf('data:')))}\n\n`,
    isSample: true,
  })

/** Runs the samples of operations whose path begins so, in each language. */
export async function testSamples(isOwn: (operation: Operation) => boolean): Promise<void> {
  const running = await startSamples()
  const reads = new Map<string, Promise<Situation>>()
  const situationOf = ({ id, method }: Operation): Promise<Situation> => {
    const situation = reads.get(id) ?? prepare(id, running.setting)
    // What is only read may be read again.
    if (method === 'GET') reads.set(id, situation)
    return situation
  }
  const runStream: typeof running.runner.run = async (language, code, env) => {
    const { platform } = running.setting
    const account = await platformAccount(platform, 'USD')
    const emit = () => fund(platform, account, 1)
    const printed = await running.runner.runUntilEvent(language, code, { env, emit })
    if (language === 'curl') keepStream(printed)
    return printed
  }
  for (const language of LANGUAGES) {
    test(`OPER-183 the samples in ${language} run`, async (t) => {
      if (!(await isRunnable(t, language))) return
      for (const operation of operations.filter(isOwn)) {
        await t.test(operation.id, async () => {
          const asked = { language, operation, situation: await situationOf(operation) }
          const env = await environmentFor(running, asked)
          const code = sampleIn(running, asked)
          const run = isStream(operation) ? runStream : running.runner.run
          await assert.doesNotReject(run(language, code, env), code)
        })
      }
    })
  }
}
