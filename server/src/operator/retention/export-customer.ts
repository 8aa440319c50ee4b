import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { unseal, type Keyring } from '../../crypto/seal.ts'
import { findPlatformOfCustomer } from '../queries/operator-store.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Work } from '../../infra/work/work.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { inAnyPlatform } from '../in-platform.ts'
import { makeFolder, writeNewFile } from '../../infra/files/new-file.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../reseal/sealed-columns.ts'
import { EXPORTED_TABLES } from './personal-store.ts'
import { mustFindOwner } from '../access/visible-platforms.ts'
import {
  listDocumentFiles,
  listPersonalRows,
  lockUnerased,
  readCustomerResources,
  type DocumentFile,
  type PersonalRow,
} from './retention-store.ts'

export type Exported = Readonly<{ path: string; rows: number; documents: number }>

type Data = Readonly<Record<string, readonly Record<string, unknown>[]>>

/**
 * Writes all data about a customer into a new file, its documents into a folder beside it (OPER-77). Only the user of
 * the process can read them. Fails: USER_NOT_FOUND, CONFLICT where the data is erased, FileError.
 */
export async function exportCustomer(
  deps: Deps,
  { id, to }: Readonly<{ id: Id<'customer'>; to: string }>,
): Promise<Exported> {
  const platformId = await mustFindOwner(deps, 'customer', findPlatformOfCustomer(deps.db.read, id))
  const customerId = formatId('customer', id)
  const entry = { id: platformId, action: 'customers export', resource: customerId }
  const { data, files, exportedAt } = await inAnyPlatform(deps, entry, (work) => collect(work, id))
  const path = resolve(to)
  const head = { customerId, platformId: formatId('platform', platformId), exportedAt }
  await writeNewFile(path, [Buffer.from(`${JSON.stringify({ ...head, data }, null, 2)}\n`)])
  try {
    if (files.length > 0) await writeDocuments(deps, `${path}.documents`, files)
  } catch (error) {
    await rm(path)
    throw error
  }
  const rows = Object.values(data).reduce((sum, list) => sum + list.length, 0)
  return { path, rows, documents: files.length }
}

/** A failed run removes the folder again. One that existed before is refused and kept. */
async function writeDocuments(
  deps: Deps,
  folder: string,
  files: readonly DocumentFile[],
): Promise<void> {
  await makeFolder(folder)
  try {
    for (const file of files) {
      const name = `${file.id}-${file.fileName.replaceAll(/[^\w.-]/g, '_')}`
      await writeNewFile(join(folder, name), deps.files.read(file.fileId))
    }
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}

type Collected = Readonly<{ data: Data; files: readonly DocumentFile[]; exportedAt: string }>

async function collect(
  { tx, platform, now, keyring }: Work,
  id: Id<'customer'>,
): Promise<Collected> {
  const key = { platformId: platform.id, customerId: id }
  await lockUnerased(tx, key)
  const resources = await readCustomerResources(tx, key)
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const { table, rows } of EXPORTED_TABLES) {
    const sealed = SEALED_COLUMNS.filter((column) => column.table === table)
    const listed = await listPersonalRows(tx, { table, sealed, where: rows(resources) })
    if (listed.length === 0) continue
    data[table] = [...(data[table] ?? []), ...listed.map((row) => unsealRow(keyring, table, row))]
  }
  return { data, files: await listDocumentFiles(tx, key), exportedAt: toWireTime(now) }
}

const BYTES = /^\\x[0-9a-f]*$/

/** A row with its sealed values opened, and without digests and keys. */
function unsealRow(
  keyring: Keyring,
  table: string,
  { row, contexts }: PersonalRow,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  const unsealed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const column = SEALED_COLUMNS.find((one) => one.table === table && one.column === name)
    const bytes = sealedBytes(value, column)
    const context = contexts[name]
    if (!bytes && value !== null) plain[name] = value
    if (!bytes || !column || context === undefined) continue
    const text = unseal(keyring, column.purpose, bytes, context).toString('utf8')
    Object.assign(unsealed, column.plain?.columns(text) ?? { [name]: parseIfJson(text) })
  }
  // An opened value replaces the blind index in its column.
  return { ...plain, ...unsealed }
}

/** Undefined for a value that is stored in plain. */
function sealedBytes(value: unknown, column: SealedColumn | undefined): Buffer | undefined {
  if (typeof value !== 'string') return undefined
  if (BYTES.test(value)) return Buffer.from(value.slice(2), 'hex')
  return column?.isJson ? Buffer.from(value, 'base64') : undefined
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
