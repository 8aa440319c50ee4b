/** The process in which documents are looked at: one message in, one message out. It ends with the one it works for. */
import { inspectBytes, type DocumentBytes, type Finding } from './inspect-bytes.ts'

/** What is sent first, once, and then for each document. A bug here is no fault of the document. */
export type Answer = Readonly<{ findings: readonly Finding[] } | { bug: string }>
export const READY: Answer = { findings: [] }

const answer = (message: Answer): void => {
  process.send?.(message)
}

// A signal for the whole group is for the service, which first finishes what it began.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (document: DocumentBytes) => {
  void inspectBytes(document).then(
    (findings) => {
      answer({ findings })
      // The pixels of this photo must not count against the next.
      globalThis.gc?.()
    },
    (error: unknown) => answer({ bug: error instanceof Error ? String(error.stack) : 'unknown' }),
  )
})
answer(READY)
