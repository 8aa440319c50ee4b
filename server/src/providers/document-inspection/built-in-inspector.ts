import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { DocumentInspector, InspectedDocument, Rejection } from './document-inspector.ts'
import type { DocumentBytes, Finding } from './inspect-bytes.ts'

const TIME_LIMIT_MS = 20 * SECOND_MS

const ADVICE: Readonly<Record<Finding, string>> = {
  UNREADABLE:
    'The file is damaged, encrypted or too large to open; export or photograph the document again and upload the whole file.',
  RESOLUTION_TOO_LOW:
    'The photo is too small; take one of at least 400 by 250 pixels and do not shrink it.',
  NOT_IN_COLOR: 'The photo is in black and white; take it in color.',
  OUT_OF_FOCUS: 'The photo is blurred; hold the camera still in good light until it has focused.',
  CORNERS_NOT_VISIBLE:
    'Not all corners can be seen; lay the document on a plain surface of another color and leave a margin on every side.',
}

type Options = Readonly<{
  timeLimitMs?: number
  isStrict?: boolean
  /** What the sandbox finds by the name of a file, beside what is measured (DOC-17). */
  findingsByName?: (fileName: string) => readonly Finding[]
}>

/**
 * The inspector that comes with the service (chapter 11, 7.7). It works in a thread of its own, one document at a
 * time, so that neither a large photo nor a malicious one holds up the requests of others. What it cannot open in
 * time counts as unreadable.
 */
export function createBuiltInInspector({
  timeLimitMs = TIME_LIMIT_MS,
  isStrict = true,
  findingsByName = () => [],
}: Options = {}): DocumentInspector {
  let thread: Worker | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const discard = (asked: Worker): void => {
    if (thread === asked) thread = undefined
    void asked.terminate()
  }
  const findingsOf = async (document: InspectedDocument): Promise<readonly Finding[]> => {
    const asked = (thread ??= startThread())
    try {
      const findings = await ask(asked, document, { timeLimitMs, isStrict })
      if (!findings) discard(asked)
      return findings ?? ['UNREADABLE']
    } catch (error) {
      discard(asked)
      throw error
    }
  }
  return {
    async inspect(document) {
      const named = findingsByName(document.fileName)
      if (named.includes('UNREADABLE')) return rejectionOf(named)
      const mine = turn.then(() => findingsOf(document))
      turn = mine.catch(() => undefined)
      return rejectionOf([...(await mine), ...named])
    },
  }
}

export const builtInInspector = createBuiltInInspector()

/** The process may end while the thread waits for work. */
function startThread(): Worker {
  const thread = new Worker(new URL('inspection-thread.ts', import.meta.url))
  thread.unref()
  return thread
}

/** Undefined where there is no answer in time. */
async function ask(
  thread: Worker,
  { documentType, mediaType, read }: InspectedDocument,
  { timeLimitMs, isStrict }: Required<Pick<Options, 'timeLimitMs' | 'isStrict'>>,
): Promise<readonly Finding[] | undefined> {
  // A copy of its own, which the thread gets without copying it once more.
  const bytes = new Uint8Array(await read())
  const ended = new AbortController()
  const { signal } = ended
  try {
    const answered = once(thread, 'message', { signal }) as Promise<[readonly Finding[]]>
    const message: DocumentBytes = { documentType, mediaType, bytes, isStrict }
    thread.postMessage(message, [bytes.buffer])
    const late = delay(timeLimitMs, undefined, { signal })
    return (await Promise.race([answered, late]))?.[0]
  } finally {
    ended.abort()
  }
}

/** The order in which they are told. */
const FINDINGS = Object.keys(ADVICE) as readonly Finding[]

/** What cannot be read at all has no other faults (7.7). */
function rejectionOf(found: readonly Finding[]): Rejection | undefined {
  if (found.length === 0) return undefined
  const findings = found.includes('UNREADABLE')
    ? (['UNREADABLE'] as const)
    : FINDINGS.filter((finding) => found.includes(finding))
  const advice = findings.map((finding) => ADVICE[finding])
  return { code: 'DOCUMENT_REJECTED', details: { reasons: findings, advice } }
}
