import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { rowsReadBy } from '../../../test/kit/database/rows-read.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { listEvents } from './store.ts'

const kit = await startOwnKit()
const { read } = kit.florin.deps.db

test('CORE-52 a page of events reads little more than it shows, however deep it lies', async () => {
  const platformId = mustParseId('platform', (await kit.platform()).platformId)
  await read.run(
    sql`with made as (
          insert into event_rows (platform_id, id, position, type, at, data)
          select ${platformId}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n,
            case n % 10 when 0 then 'TEST' else 'CARD.STATE_CHANGE' end, '2026-01-01Z', '{}'
          from generate_series(1, 5000) n
          returning platform_id, id, position, at
        )
        insert into event_deliveries (platform_id, event_id, position, sequence, at, sending, status)
        select platform_id, id, position, position, at, 'RETRIED', 'SKIPPED' from made`,
  )
  await read.run(sql`analyze event_rows, event_deliveries, event_attempts`)
  for (const type of [undefined, 'TEST'] as const) {
    for (const place of [5001, 1000]) {
      const after = `00000000-0000-7000-8000-${place.toString().padStart(12, '0')}`
      const page = { type, after, fetch: 21 }
      assert.equal((await listEvents(read, platformId, page)).length, 21)
      const cost = await rowsReadBy(read, (tx) => listEvents(tx, platformId, page))
      assert.ok(cost <= 3 * 21, `${cost} rows read behind ${place}`)
    }
  }
})
