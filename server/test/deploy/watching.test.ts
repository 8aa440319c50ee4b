/** What `deploy/` watches is there to be watched, and counts what happened. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { createAdminServer } from '../../src/app/admin-server.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { expectStatus } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { blocksOf, ROOT } from '../kit/pages/doc-examples.ts'
import { fund, payee, platformAccount, quote, execute } from '../kit/payments.ts'
import { isInstalled } from '../kit/processes/is-installed.ts'
import { cardProvider, outsideCard } from '../kit/setups/card-provider.ts'

const run = promisify(execFile)
const ALERTS = join(ROOT, 'deploy/prometheus/alerts.yml')
const kit = await startOwnKit({ AUDIT_SINK_FILE: join(tmpdir(), `florin-audit-${newUuid()}`) })
const admin = createAdminServer(kit.florin)
const origin = await admin.listen({ host: '127.0.0.1', port: 0 })
after(() => admin.close())

const scrape = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text()

type Rule = Readonly<{ alert: string; expr: string; annotations: { runbook?: string } }>
type Dashboard = Readonly<{ panels: { targets: { expr: string }[] }[] }>

async function readRules(): Promise<Rule[]> {
  const { groups } = parse(await readFile(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

async function readPanels(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'deploy/grafana/florin.json'), 'utf8')
  return (JSON.parse(text) as Dashboard).panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr),
  )
}

const seriesIn = (expression: string): string[] => expression.match(/\bflorin_\w+/g) ?? []

test('CORE-84 alerts and dashboard use only series that a scrape has', async () => {
  const metrics = await scrape()
  const kinds = new Map(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind]) => [name, kind]),
  )
  const shownBy = (name: string): string[] =>
    kinds.get(name) === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end) => name + end)
      : [name]
  const known = [...kinds.keys()].flatMap(shownBy)
  const panels = (await readPanels()).flatMap(seriesIn)
  const rules = (await readRules()).flatMap(({ expr }) => seriesIn(expr))
  assert.deepEqual(
    [...panels, ...rules].filter((name) => !known.includes(name)),
    [],
  )
})

test('CORE-84 each alert is well formed, and leads to a page that is there', async (t) => {
  for (const { alert, annotations } of await readRules()) {
    if (annotations.runbook)
      await assert.doesNotReject(readFile(join(ROOT, annotations.runbook)), alert)
  }
  if (!(await isInstalled('promtool', '--version'))) {
    t.diagnostic('not run: the check of deploy/prometheus: promtool is not installed here')
    return
  }
  const blocks = await blocksOf('docs/guides/deploy.md')
  const drill = blocks.find(({ mark, name }) => mark === 'drill' && name === 'rules')
  assert.match(drill?.code ?? '', /^promtool /)
  await run('sh', ['-ec', drill?.code ?? ''], { cwd: ROOT })
})

test('CORE-84 payments, card decisions, the backlog of webhooks and checks of the book are counted', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 100_000)
  const to = await payee(platform, 'USD_ACCOUNT')
  const made = expectStatus(await quote(platform, { from, to, amount: 12_345 }), 201)
  expectStatus(await execute(platform, made), 200)
  const setup = await cardProvider(kit)
  const card = await outsideCard(setup, { funds: 5_000 })
  for (const amount of [1_000, 9_000]) {
    const asked = await setup.provider.post('authorizations', {
      networkReference: newUuid(),
      kind: 'AUTHORIZATION',
      cardId: card.id,
      amount: { amount, currency: 'USD' },
      merchant: { descriptor: 'BLUE DOOR COFFEE', mcc: '5814', country: 'US' },
      at: new Date().toISOString(),
    })
    assert.equal(asked.status, 200)
  }
  await operate(kit, 'ledger check')
  await eventually(async () => {
    const metrics = await scrape()
    for (const line of [
      /^florin_payments_total\{type="OUTGOING",rail="\w+",status="COMPLETED"\} 1$/m,
      /^florin_payment_amount_total\{type="OUTGOING",currency="USD",status="COMPLETED"\} 12345$/m,
      /^florin_payment_amount_total\{type="CARD",currency="USD",status="AUTHORIZED"\} 1000$/m,
      /^florin_card_decisions_total\{decision="APPROVED",reason=""\} 1$/m,
      /^florin_card_decisions_total\{decision="DECLINED",reason="INSUFFICIENT_FUNDS"\} 1$/m,
      /^florin_ledger_checks_total\{outcome="sound"\} 1$/m,
      /^florin_ledger_problems 0$/m,
      /^florin_webhook_backlog [1-9]\d*$/m,
      /^florin_webhook_oldest_undelivered_seconds \d/m,
      /^florin_jobs_dead 0$/m,
      /^florin_database_connections\{state="waiting"\} 0$/m,
    ]) {
      assert.match(metrics, line)
    }
  })
})
