/** `erasures.jsonl` in the data folder lists the erased customers, to repeat it after restoring a backup (OPER-76). */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../infra/deps.ts'
import { readTextFile } from '../../infra/files/text-file.ts'
import { formatId, parseId, type Id } from '../../kernel/ids.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { UsageError } from '../command.ts'
import { listErasures } from './retention-store.ts'

const ERASURES_FILE = 'erasures.jsonl'

type Line = Readonly<{ customerId?: unknown }>

/** The customers in a file, each once; `content` is the text of the file when its replay was proposed. Fails: UsageError. */
export async function readErasures(path: string, content?: string): Promise<Id<'customer'>[]> {
  const text = content ?? (await readTextFile(path))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return [...new Set(lines.map((line, index) => mustParseLine(line, `${path}, line ${index + 1}`)))]
}

function mustParseLine(line: string, place: string): Id<'customer'> {
  const id = parseId('customer', String(mustParseJson(line, place).customerId))
  if (!id) throw new UsageError(`${place} names no customer.`)
  return id
}

function mustParseJson(line: string, place: string): Line {
  try {
    return (JSON.parse(line) ?? {}) as Line
  } catch {
    throw new UsageError(`${place} is not JSON.`)
  }
}

/** Appends every erasure of the database that the file lacks, so one is not lost when a process dies after its commit. */
export async function recordErasures({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const file = await open(join(settings.dataDir, ERASURES_FILE), 'a+', 0o600)
  try {
    const known = await file.readFile('utf8')
    const missing = (await listErasures(db.read)).filter(
      ({ customerId }) => !known.includes(customerId),
    )
    const lines = missing.map(({ platformId, customerId, erasedAt }) =>
      JSON.stringify({
        platformId: formatId('platform', platformId),
        customerId: formatId('customer', customerId),
        erasedAt: toWireTime(erasedAt),
      }),
    )
    // A crash may have left an incomplete last line.
    const isCut = known !== '' && !known.endsWith('\n')
    if (lines.length > 0) await file.appendFile(`${isCut ? '\n' : ''}${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
