import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { items, text } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { selfSignedCertificate } from '../../../../test/kit/outside/self-signed-certificate.ts'
import { createFlorin } from '../../../app/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { addMs, HOUR_MS, systemClock } from '../../../kernel/clock.ts'
import type { ApiError, FieldError } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'

let passedMs = 0
const now = (): Date => addMs(systemClock.now(), passedMs)
const kit = await startOwnKit({}, { clock: { now } })
const { deps } = kit.florin

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const HTTP = '--kind http --url http://127.0.0.1:9700'

const add = (line: string, ...rest: string[]) => operate(kit, `providers add ${line}`, ...rest)
const show = (name: string) => operate(kit, `providers show ${name}`)
const remove = (name: string) => operate(kit, `providers remove ${name}`)

async function refusalOf(attempt: Promise<unknown>): Promise<ApiError> {
  return attempt.then(
    () => assert.fail('was not refused'),
    (error: unknown) => error as ApiError,
  )
}

async function problemsOf(line: string, ...rest: string[]): Promise<string[]> {
  const { code, details } = await refusalOf(add(line, ...rest))
  assert.equal(code, 'INVALID_INPUT')
  return (details?.['errors'] as FieldError[]).map(({ field }) => field)
}

async function auditOf(action: string) {
  return items(await operate(kit, 'audit list --action', action))
}

test('PROV-1 add prints the provider, its secret once and its addresses; list and show have no secret', async () => {
  const { secret, inboundUrls, ...bank } = await add(`--name bank ${HTTP} --ports rails,deposits`)
  const id = text(bank['providerId'])
  assert.match(text(secret), SECRET)
  assert.deepEqual(inboundUrls, [
    `${deps.settings.publicUrl}/providers/${id}/reports`,
    `${deps.settings.publicUrl}/providers/${id}/deposits`,
  ])
  const { createdAt, updatedAt, ...rest } = bank
  assert.deepEqual(rest, {
    providerId: id,
    name: 'bank',
    kind: 'http',
    environment: 'PRODUCTION',
    ports: ['rails', 'deposits'],
    url: 'http://127.0.0.1:9700',
    status: 'ENABLED',
    config: {},
    resendWindowSeconds: 86_400,
    maxInFlight: 8,
    authorizationDeadlineMs: 2_000,
    paymentThreshold: { amount: 0, currency: 'USD' },
  })
  assert.equal(createdAt, updatedAt)
  const builtIn = [
    { port: 'rails', provider: 'manual' },
    { port: 'deposits', provider: 'manual' },
  ]
  const standing = { circuit: 'CLOSED', openOrders: {}, exceptionsOpen: 0 }
  const health = { ...standing, lastHour: [], lastDay: [], outsideFees: [] }
  assert.deepEqual(await show('bank'), { ...bank, builtIn, health })
  assert.deepEqual(await show(id), { ...bank, builtIn, health })
  assert.deepEqual(items(await operate(kit, 'providers list --port rails'))[0], {
    ...bank,
    standing,
  })
  const rows = await deps.db.read.many<{ row: string }>(sql`select p::text as row from providers p`)
  assert.ok(!rows.some(({ row }) => row.includes(text(secret).slice(6))), 'it is sealed')
  const [entry] = await auditOf('providers add')
  assert.equal(entry?.['resource'], id)
  assert.ok(!JSON.stringify(entry).includes('whsec_'))
})

test('PROV-1 a change holds in every process within 5 s, without a restart', async () => {
  const { settings, log } = deps
  const masterKey = settings.masterKey ?? ''
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: kit.databaseUrl, masterKey },
    log,
    worker: false,
  })
  const names = () => florin.deps.providers.registered().map(({ name }) => name)
  try {
    assert.deepEqual(names(), ['bank'])
    await operate(kit, 'providers update bank --name house-bank --status PAUSED')
    await eventually(() => assert.deepEqual(names(), ['house-bank']))
    assert.equal(florin.deps.providers.registered()[0]?.status, 'PAUSED')
    await operate(kit, 'providers update house-bank --name bank --status ENABLED')
    // Nothing was announced: the next look finds it.
    await deps.db.transaction((tx) => tx.run(sql`update providers set name = 'quiet'`))
    await eventually(() => assert.deepEqual(names(), ['quiet']))
    await deps.db.transaction((tx) => tx.run(sql`update providers set name = 'bank'`))
  } finally {
    await florin.stop()
  }
  await deps.providers.refresh()
})

const WRONG: readonly (readonly [string, readonly string[]])[] = [
  ['--name a --kind http --ports rails,bank', ['name', 'ports.1', 'url']],
  ['--name ab --kind ftp --ports rails', ['kind']],
  ['--name ab --kind http --ports rails', ['url']],
  ['--name ab --kind manual --ports cards --url https://a.example', ['ports', 'url']],
  ['--name sandbox --kind sandbox --ports rails', ['name', 'kind']],
  [`--name ab ${HTTP} --ports messages`, ['ports']],
  [
    `--name ab ${HTTP} --ports rails --window 299 --max-in-flight 65`,
    ['resendWindowSeconds', 'maxInFlight'],
  ],
  [`--name ab ${HTTP} --ports rails --authorization-deadline-ms x`, ['authorizationDeadlineMs']],
  [`--name ab ${HTTP} --ports screening --payment-threshold EUR:5`, ['paymentThreshold']],
  [`--name ab ${HTTP} --ports rails --rail TELEX --currency XXX`, ['rails.0', 'currencies.0']],
  [`--name ab ${HTTP} --ports rails --account-type GOLD`, ['accountTypes']],
  [`--name ab ${HTTP} --ports rails,identity --rail SEPA --currency EUR`, ['rails', 'currencies']],
  [
    `--name A ${HTTP} --ports identity --rail SEPA --account-type GOLD --config {"pul":[]}`,
    ['name', 'rails', 'accountTypes', 'accountTypes', 'config'],
  ],
  [`--name ab ${HTTP} --ports rails --config {"pul":[]}`, ['config']],
  [`--name ab ${HTTP} --ports rails --config {"pull":["GOLD"]}`, ['config.pull']],
  [`--name ab ${HTTP} --ports rails --platform Platform:1`, ['platforms.0', 'platforms']],
]

for (const [line, fields] of WRONG) {
  test(`PROV-2 PROV-7 providers add ${line} is refused for ${fields.join(' and ')}`, async () => {
    assert.deepEqual(await problemsOf(line), fields)
  })
}

const URLS: readonly (readonly [string, boolean])[] = [
  ['http://10.0.0.5', false],
  ['http://bank.example', false],
  ['ftp://127.0.0.1', false],
  ['bank.example', false],
  ['https://user:x@bank.example', false],
  ['https://bank.example/?a=1', false],
  ['https://bank.example/#a', false],
  ['https://10.0.0.5', true],
  ['https://169.254.1.1:8443/psp/', true],
  ['http://127.0.0.1:1', true],
  ['http://[::1]:1', true],
  ['http://localhost:1', true],
]

for (const [url, isTaken] of URLS) {
  test(`PROV-2 the address ${url} is ${isTaken ? 'taken' : 'refused'}`, async () => {
    const line = `--name other --kind http --ports prices --url ${url}`
    if (isTaken) {
      assert.equal((await add(line))['url'], url.replace(/\/$/, ''))
      await remove('other')
    } else assert.deepEqual(await problemsOf(line), ['url'])
  })
}

test('PROV-2 certificate authorities are PEM, and shown', async () => {
  const [good, bad] = [join(kit.dataDir, 'ca.pem'), join(kit.dataDir, 'bad.pem')]
  const { certificatePem } = selfSignedCertificate(['127.0.0.1'])
  await writeFile(good, certificatePem)
  await writeFile(bad, 'no certificate')
  const line = `--name other ${HTTP} --ports prices`
  assert.deepEqual(await problemsOf(line, '--ca', bad), ['ca'])
  assert.equal((await add(line, '--ca', good))['ca'], certificatePem)
  assert.equal((await operate(kit, 'providers update other --ca none'))['ca'], undefined)
  await remove('other')
})

test('PROV-4 PROV-2 platforms are named within the environment only', async () => {
  const [sandbox, production] = [
    await kit.platform(),
    await kit.platform({ environment: 'PRODUCTION' }),
  ]
  const line = `--name own ${HTTP} --ports rails --platform`
  assert.deepEqual(await problemsOf(line, sandbox.platformId), ['platforms'])
  const { platforms } = await add(line, production.platformId)
  assert.deepEqual(platforms, [production.platformId])
  const namesFor = async (platformId: string) =>
    items(await operate(kit, 'providers list --port rails --platform', platformId)).map((one) =>
      text(one['name']),
    )
  assert.deepEqual(await namesFor(production.platformId), ['bank', 'own', 'manual'])
  assert.deepEqual(await namesFor(sandbox.platformId), ['sandbox'])
  const portsOf = (platformId: string, environment: 'SANDBOX' | 'PRODUCTION') =>
    deps.providers.portsOf({ id: mustParseId('platform', platformId), environment })
  const choose = (platformId: string, environment: 'SANDBOX' | 'PRODUCTION') =>
    portsOf(platformId, environment).providerOf({ port: 'rails' })?.name
  assert.equal(choose(production.platformId, 'PRODUCTION'), 'own')
  assert.equal(choose(sandbox.platformId, 'SANDBOX'), 'sandbox')
  await remove('own')
  assert.equal(choose(production.platformId, 'PRODUCTION'), 'bank')
})

test('PROV-6 what would leave two of equal rank is refused, naming the other and what both answer for', async () => {
  const { providerId } = await show('bank')
  const { code, details } = await refusalOf(add(`--name bank2 ${HTTP} --ports rails`))
  assert.deepEqual([code, details], ['CONFLICT', { providerId, overlap: { ports: ['rails'] } }])
  await add(`--name bank2 ${HTTP} --ports rails --rail SEPA_INSTANT`)
  const third = `--name bank3 ${HTTP} --ports rails --rail SEPA --rail`
  const again = await refusalOf(add(third, 'SEPA_INSTANT'))
  assert.deepEqual(again.details?.['overlap'], { ports: ['rails'], rails: ['SEPA_INSTANT'] })
  const update = await refusalOf(operate(kit, 'providers update bank2 --rail none'))
  assert.equal(update.details?.['providerId'], providerId)
  const taken = await refusalOf(add(`--name bank ${HTTP} --ports prices`))
  assert.deepEqual(taken.details, { providerId, field: 'name' })
  await remove('bank2')
})

test('PROV-6 of two that overlap and are added at once, one is refused', async () => {
  const both = await Promise.allSettled(
    ['one', 'two'].map((name) => add(`--name ${name} ${HTTP} --ports prices`)),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await remove(both[0]?.status === 'fulfilled' ? 'one' : 'two')
})

test('PROV-7 where none is registered the built-in ones answer', async () => {
  const own = await startOwnKit({
    SMTP_URL: 'smtp://user:secret@mail.example',
    SMS_GATEWAY_URL: 'https://key:secret@sms.example/send',
  })
  const lines = items(await operate(own, 'providers list'))
  assert.deepEqual(
    lines.map(({ name, environment, ports }) => [name, environment, items(ports).length]),
    [
      ['sandbox', 'SANDBOX', 8],
      ['manual', 'PRODUCTION', 5],
      ['smtp', 'PRODUCTION', 1],
      ['sms-gateway', 'PRODUCTION', 1],
    ],
  )
  assert.ok(!JSON.stringify(lines).includes('secret'), 'without credentials')
  assert.equal(items((await operate(own, 'providers show sandbox'))['ports']).length, 8)
  const id = mustParseId('platform', (await own.platform()).platformId)
  const production = own.florin.deps.providers.portsOf({ id, environment: 'PRODUCTION' })
  const sandbox = own.florin.deps.providers.portsOf({ id, environment: 'SANDBOX' })
  assert.equal(production.providerOf({ port: 'rails', rail: 'ACH' })?.kind, 'manual')
  assert.equal(production.providerOf({ port: 'cards' }), undefined)
  assert.equal(production.providerOf({ port: 'messages', channel: 'sms' })?.kind, 'sms-gateway')
  assert.equal(sandbox.providerOf({ port: 'messages', channel: 'sms' })?.kind, 'sandbox')
})

test('PROV-1 update changes what is given and keeps the rest, remove ends it', async () => {
  const line = `--name other ${HTTP} --ports identity --config {"nameCheck":true}`
  const other = await add(line)
  assert.equal(other['resendWindowSeconds'], 604_800)
  const changed = await operate(kit, 'providers update other --max-in-flight 2 --window 300')
  const { updatedAt, maxInFlight, resendWindowSeconds, ...rest } = changed
  assert.deepEqual([maxInFlight, resendWindowSeconds], [2, 300])
  assert.ok(text(updatedAt) >= text(other['updatedAt']))
  for (const [name, value] of Object.entries(rest)) assert.deepEqual(value, other[name])
  await remove('other')
  assert.equal((await refusalOf(show('other'))).code, 'REFERENCE_NOT_FOUND')
  assert.equal((await refusalOf(remove('other'))).code, 'REFERENCE_NOT_FOUND')
  assert.ok((await auditOf('providers update')).length > 0)
  assert.ok((await auditOf('providers remove')).length > 0)
})

test('PROV-23 a second secret is made, both hold for the overlap, a third has to wait', async () => {
  const added = await add(`--name other ${HTTP} --ports prices`)
  const id = mustParseId('provider', text(added['providerId']))
  const secrets = () => deps.providers.secretsOf(id)
  assert.deepEqual(secrets(), [added['secret']])
  const rotated = await operate(kit, 'providers rotate-secret other')
  assert.match(text(rotated['secret']), SECRET)
  assert.deepEqual(secrets(), [rotated['secret'], added['secret']], 'the new one first')
  assert.equal((await refusalOf(operate(kit, 'providers rotate-secret other'))).code, 'CONFLICT')
  passedMs += 24 * HOUR_MS
  assert.deepEqual(secrets(), [rotated['secret']])
  const last = await operate(kit, 'providers rotate-secret other --overlap-hours 0')
  assert.deepEqual(secrets(), [last['secret']])
  for (const hours of ['169', '-1', '1.5', 'x']) {
    const wrong = operate(kit, `providers rotate-secret other --overlap-hours=${hours}`)
    assert.equal((await refusalOf(wrong)).code, 'INVALID_INPUT')
  }
  await remove('other')
  assert.deepEqual(secrets(), [])
})
