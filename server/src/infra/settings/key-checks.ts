/** Whether the configured master keys are those that the stored values were sealed with. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../crypto/keyring.ts'
import { unseal, UnsealError } from '../../crypto/seal.ts'
import { invariant } from '../../kernel/invariant.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'

/** The service does not run with a key that could not open, or would seal beside, what is stored. */
export class MasterKeyError extends Error {
  override name = 'MasterKeyError'
}

type KeyCheck = Readonly<{ keyId: string; checkValue: Buffer; retiredAt: Date | null }>

const CHECK_BYTES = 16

export type KeyState = Readonly<{
  keyId: string
  isConfigured: boolean
  /** Undefined where the key is not configured, so that nothing can be compared. */
  isMatching: boolean | undefined
  isRetired: boolean
}>

/** The first 16 bytes of HMAC-SHA256 over the key's id, under a key derived for nothing else (OPER-83). */
function checkValueOf(keyring: Keyring, keyId: string): Buffer | undefined {
  const key = keyring.findKey({ keyId, label: 'key-check' })
  return key && createHmac('sha256', key).update(keyId).digest().subarray(0, CHECK_BYTES)
}

/**
 * Refuses a key that is not the one of its name (OPER-83), and a configuration that lacks a key which values may need
 * (OPER-84). A key that is seen for the first time is recorded.
 */
export async function verifyMasterKeys({
  db,
  keyring,
  clock,
}: Pick<Deps, 'db' | 'keyring' | 'clock'>): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await listChecks(tx)
    if (known.length === 0) await mustOpenOneValue(tx, keyring)
    await recordKeys(tx, keyring, clock.now())
    for (const state of statesOf(keyring, await listChecks(tx))) {
      if (state.isMatching === false) {
        throw new MasterKeyError(
          `Master key ${state.keyId} is not the key this database was sealed with.`,
        )
      }
      if (!state.isConfigured && !state.isRetired) {
        throw new MasterKeyError(
          `Master key ${state.keyId} is missing: values in this database may be sealed with it. ` +
            'Configure it behind the newest key, or run `florin keys reseal` with both.',
        )
      }
    }
  })
}

export async function listKeyStates({
  db,
  keyring,
}: Pick<Deps, 'db' | 'keyring'>): Promise<KeyState[]> {
  return statesOf(keyring, await listChecks(db.read))
}

const statesOf = (keyring: Keyring, checks: readonly KeyCheck[]): KeyState[] =>
  checks.map(({ keyId, checkValue, retiredAt }) => {
    const expected = checkValueOf(keyring, keyId)
    return {
      keyId,
      isConfigured: expected !== undefined,
      isMatching: expected && timingSafeEqual(expected, checkValue),
      isRetired: retiredAt !== null,
    }
  })

const listChecks = (tx: Tx): Promise<KeyCheck[]> =>
  tx.many<KeyCheck>(
    sql`select key_id, check_value, retired_at from key_checks order by created_at, key_id`,
  )

type NewCheck = Readonly<{ keyId: string; checkValue: Buffer }>
const NEW_CHECK: Columns<NewCheck> = {
  key_id: ['text', (row) => row.keyId],
  check_value: ['bytea', (row) => row.checkValue],
}

/** A retired key that protects new values again is retired no longer. */
async function recordKeys(tx: Tx, keyring: Keyring, now: Date): Promise<void> {
  const rows = keyring.keyIds.map((keyId) => {
    const checkValue = checkValueOf(keyring, keyId)
    invariant(checkValue, 'a configured key is found')
    return { keyId, checkValue }
  })
  await tx.run(
    sql`insert into key_checks (key_id, check_value, created_at)
        select key_id, check_value, ${now} from ${given('k', NEW_CHECK, rows)} on conflict do nothing`,
  )
  await tx.run(
    sql`update key_checks set retired_at = null where key_id = ${keyring.newestKeyId} and retired_at is not null`,
  )
}

/** A database that was sealed before keys were recorded proves its key by a value that opens. */
async function mustOpenOneValue(tx: Tx, keyring: Keyring): Promise<void> {
  const row = await tx.maybe<{ id: string; sealed: Buffer }>(
    sql`select id::text, webhook_private_key as sealed from platforms where kind <> 'HOUSE' order by id limit 1`,
  )
  if (!row) return
  try {
    unseal(keyring, 'webhook-signing-key', row.sealed, row.id)
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    throw new MasterKeyError('The master key is not the key this database was sealed with.')
  }
}

export async function retireKeys(tx: Tx, keyIds: readonly string[], now: Date): Promise<void> {
  await tx.run(
    sql`update key_checks set retired_at = ${now} where key_id = any(${keyIds}::text[]) and retired_at is null`,
  )
}
