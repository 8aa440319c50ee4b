import { CASES } from '../../../providers/conformance/cases.ts'
import { connectionFailure } from '../../../providers/conformance/provider-client.ts'
import { casesOf, runCases, type CaseOutcome } from '../../../providers/conformance/run-cases.ts'
import { TESTED_PORTS, type TestedPort } from '../../../providers/conformance/sample-orders.ts'
import { show } from '../../command-line/show.ts'
import { onlyArg, UsageError, type Input, type LocalCommand } from '../../command.ts'

type Report = Readonly<{
  ok: boolean
  passed: number
  failed: number
  skipped: number
  cases: readonly CaseOutcome[]
}>

/** Plays the service against any implementation of the provider protocol (PROV-54, PROV-150). */
export const providerTest: LocalCommand = {
  name: 'providers test',
  access: { roles: ['VIEWER'], scope: 'installation', isLocal: true },
  about: 'Hold a provider against the protocol. It is sent test orders only, and no money moves.',
  takes: ['url'],
  mayOmitArguments: true,
  options: {
    secret: {
      about: 'Its secret; a second one tests a rotation. May be repeated.',
      repeatable: true,
    },
    ports: {
      about: `Ports that it must have: ${TESTED_PORTS.join(', ')}. Otherwise those it does not refuse.`,
      value: 'LIST',
    },
    case: { about: 'Only this case, such as C2. May be repeated.', value: 'C', repeatable: true },
    list: { about: 'Print the cases instead.', flag: true },
  },
  runLocally: (_settings, input) => (input.flag('list') ? listCases() : testProvider(input)),
  show: (answer) => (isReport(answer) ? linesOf(answer) : show(answer)),
}

const listCases = async () =>
  CASES.map(({ id, title, ports, sent, expected }) => ({
    case: id,
    title,
    ports: ports.join(', '),
    sent,
    expected,
  }))

async function testProvider(input: Input): Promise<Report> {
  const cases = casesOf(input.options('case'))
  if (!cases) throw new UsageError(`--case is one of ${CASES.map(({ id }) => id).join(', ')}.`)
  const [url, secrets, ports] = [urlOf(input), secretsOf(input), portsOf(input)]
  const failure = await connectionFailure(url)
  if (failure) throw new UsageError(`No provider answers at ${url}: ${failure}. Start it first.`)
  const outcomes = await runCases({ url, secrets, ports, cases })
  const count = (wanted: CaseOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const [passed, failed, skipped] = [count('pass'), count('fail'), count('skip')]
  return { ok: failed === 0 && passed > 0, passed, failed, skipped, cases: outcomes }
}

function urlOf(input: Input): string {
  const url = onlyArg(input, 'url')
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new UsageError('The url is an http or https address.')
  return url.replace(/\/+$/, '')
}

function secretsOf(input: Input): readonly string[] {
  const secrets = input.options('secret')
  if (secrets.length === 0) throw new UsageError('Missing: --secret.')
  if (secrets.some((secret) => !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)))
    throw new UsageError('--secret is whsec_ and base64, as providers add printed it.')
  return secrets
}

function portsOf(input: Input): readonly TestedPort[] | undefined {
  const names = input.option('ports')?.split(',')
  const ports = names?.flatMap((name) => TESTED_PORTS.filter((port) => port === name.trim()))
  if (names && ports?.length !== names.length)
    throw new UsageError(`--ports are some of ${TESTED_PORTS.join(', ')}, separated by commas.`)
  return ports
}

const isReport = (answer: unknown): answer is Report => !Array.isArray(answer)

function linesOf({ cases, passed, failed, skipped }: Report): string {
  const lines = cases.map(({ id, outcome, title, expected, seen, reason }) => {
    const why = outcome === 'fail' ? `: expected ${expected}, seen: ${seen}` : ''
    return `${id.padEnd(3)}  ${outcome}  ${title}${reason ? `: ${reason}` : why}`
  })
  return [...lines, `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n')
}
