import assert from 'node:assert/strict'
import { hasPending } from '../../../src/operator/audit/chain-store.ts'
import { chainPending } from '../../../src/operator/audit/chain-worker.ts'
import { eventually } from '../eventually.ts'
import type { Kit } from '../florin.ts'

/** Waits until every audit entry is chained: by the worker of the service, or sooner by this process. */
export const eventuallyChained = ({ florin: { deps } }: Pick<Kit, 'florin'>): Promise<void> =>
  eventually(async () => {
    await chainPending(deps)
    assert.equal(await hasPending(deps.db.read), false)
  })
