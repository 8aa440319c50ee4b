/** Which settings differ from those of the last start: audited by name, so that values stay secret (OPER-56). */
import { createHmac } from 'node:crypto'
import { invariant } from '../../kernel/invariant.ts'
import type { Keyring } from '../../crypto/keyring.ts'
import type { Deps } from '../../infra/deps.ts'
import { settingNames, type Settings } from '../../infra/settings/settings.ts'
import { recordSecurityEvent } from '../../infra/work/security-event.ts'
import * as store from './settings-store.ts'

function digestUnder(keyring: Keyring, keyId: string, value: string): Buffer {
  const key = keyring.findKey({ keyId, label: 'known-settings' })
  invariant(key, 'a configured key is found')
  return createHmac('sha256', key).update(value).digest()
}

/** Amounts are bigints, which JSON does not know. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? ''

/** `given` as it was read, before anything was found in its place. A first start has nothing to compare with. */
export async function recordChangedSettings(deps: Deps, given: Settings): Promise<void> {
  const { db, keyring } = deps
  const known = new Map(
    (await store.listKnown(db.read)).map(({ name, valueDigest }) => [name, valueDigest]),
  )
  const values = Object.entries(settingNames).map(([key, name]) => ({
    name,
    value: textOf(given[key as keyof Settings]),
  }))
  const changed = values.filter(({ name, value }) => {
    const before = known.get(name)
    return (
      before && !keyring.keyIds.some((keyId) => digestUnder(keyring, keyId, value).equals(before))
    )
  })
  const { newestKeyId } = keyring
  await store.saveKnown(
    db.read,
    values.map(({ name, value }) => ({
      name,
      valueDigest: digestUnder(keyring, newestKeyId, value),
    })),
  )
  if (changed.length === 0) return
  const note = changed.map(({ name }) => name).join(', ')
  await recordSecurityEvent(deps, { action: 'settings changed', note })
}
