import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { operate } from '../../../../test/kit/operator.ts'

const kit = await startOwnKit()

const run = (line: string, ...rest: string[]): Promise<unknown> => operate(kit, line, ...rest)

const ADD =
  'uma-providers add pay.example.com --regions US,DE --currencies USD,EUR --environment SANDBOX'

test('CORE-83 CFG-30 uma-providers add, list and remove keep the directory that platforms see', async () => {
  const { api } = await kit.platform()
  const named = async () => {
    const body = expectStatus(await api.get('/uma-providers'), 200)
    return body.data.find((one) => one.domain === 'pay.example.com')
  }
  await run(ADD, '--name', 'Pay Example')
  assert.equal((await named())?.allowListStatus, true)
  await run(`${ADD} --blocked`, '--name', 'Pay Example')
  assert.equal((await named())?.allowListStatus, false)
  const listed = (await run('uma-providers list --environment SANDBOX')) as { domain: string }[]
  assert.equal(listed.filter(({ domain }) => domain === 'pay.example.com').length, 1)
  await run('uma-providers remove pay.example.com --environment SANDBOX')
  assert.equal(await named(), undefined)
  await assert.rejects(run('uma-providers remove pay.example.com --environment SANDBOX'), {
    code: 'REFERENCE_NOT_FOUND',
  })
})

test('CORE-83 CFG-30 UMA-7 the sandbox’s own providers are listed, replaced and removed by the domain that platforms see', async () => {
  const { api } = await kit.platform()
  const domain = 'latam.sandbox.uma.test'
  const seen = async () => {
    const body = expectStatus(await api.get('/uma-providers'), 200)
    return body.data.filter((one) => one.domain === domain)
  }
  const lookUp = () => api.get(`/receiver/uma/${encodeURIComponent(`$a@${domain}`)}`)
  const listed = async () => {
    const rows = (await run('uma-providers list --environment SANDBOX')) as { domain: string }[]
    return rows.map((row) => row.domain)
  }
  assert.deepEqual((await listed()).toSorted(), [
    'blocked.sandbox.uma.test',
    domain,
    'sandbox.uma.test',
  ])
  const ADD_LATIN = `uma-providers add ${domain} --regions MX --currencies MXN --environment SANDBOX`
  await run(`${ADD_LATIN} --blocked`, '--name', 'Latin')
  assert.deepEqual(
    (await seen()).map((one) => [one.name, one.allowListStatus]),
    [['Latin', false]],
  )
  expectError(await lookUp(), 403, 'COUNTERPARTY_NOT_ALLOWED')

  // As left by a domain that was written out, or by another setting.
  await kit.florin.deps.db.read.run(
    sql`insert into uma_providers (environment, domain, name, supported_regions, supported_currencies,
          allow_list_status)
        values ('SANDBOX', ${domain}, 'Written out', '{MX}', '{MXN}', true)`,
  )
  expectError(await lookUp(), 403, 'COUNTERPARTY_NOT_ALLOWED')
  await run(ADD_LATIN, '--name', 'Latin')
  assert.deepEqual(
    (await seen()).map((one) => [one.name, one.allowListStatus]),
    [['Latin', true]],
  )
  await run(`uma-providers remove ${domain} --environment SANDBOX`)
  assert.deepEqual(await seen(), [])
  assert.ok(!(await listed()).includes(domain))
})

test('CORE-83 uma-providers add refuses what is no domain, country or currency', async () => {
  for (const line of [
    'uma-providers add nodot --name x --regions US --currencies USD',
    'uma-providers add a.example --name x --regions XX --currencies USD',
    'uma-providers add a.example --name x --regions US --currencies XQX',
    'uma-providers list --environment ODD',
  ]) {
    await assert.rejects(run(line), { name: 'UsageError' }, line)
  }
})
