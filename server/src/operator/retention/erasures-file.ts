/** `erasures.jsonl` of the data folder: which customers were erased, so that a restored backup can follow (OPER-76). */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../infra/deps.ts'
import { readTextFile } from '../../infra/files/text-file.ts'
import { formatId, parseId, type Id } from '../../kernel/ids.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { UsageError } from '../command.ts'
import { listErasures } from './retention-store.ts'

const FILE = 'erasures.jsonl'

type Line = Readonly<{ customerId?: unknown }>

/** The customers that a file names, each once; `content` is what it held when it was proposed to follow it. */
export async function readErasures(path: string, content?: string): Promise<Id<'customer'>[]> {
  const text = content ?? (await readTextFile(path))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return [...new Set(lines.map((line, index) => customerOf(line, `${path}, line ${index + 1}`)))]
}

function customerOf(line: string, place: string): Id<'customer'> {
  const id = parseId('customer', String(parsed(line, place).customerId))
  if (!id) throw new UsageError(`${place} names no customer.`)
  return id
}

function parsed(line: string, place: string): Line {
  try {
    return (JSON.parse(line) ?? {}) as Line
  } catch {
    throw new UsageError(`${place} is not JSON.`)
  }
}

/**
 * Adds every erasure that the file lacks. The database says which there are, so a process that dies between commit and
 * line leaves nothing out for good.
 */
export async function recordErasures({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const file = await open(join(settings.dataDir, FILE), 'a+', 0o600)
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
    // A line that a crash cut short ends here.
    const isCut = known !== '' && !known.endsWith('\n')
    if (lines.length > 0) await file.appendFile(`${isCut ? '\n' : ''}${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
