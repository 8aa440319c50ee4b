import type { InspectedDocument } from './document-inspector.ts'
import type { Finding } from './inspect-bytes.ts'
import { createInspectionWorker, type Limits } from './inspection-worker.ts'
import { createTurns } from './turns.ts'

const WORKERS = 2

export type InspectionPool = Readonly<{
  inspect(
    document: InspectedDocument,
    options: Readonly<{ isStrict: boolean }>,
  ): Promise<readonly Finding[]>
}>

/** Several processes that inspect one document each; waiting documents take turns. */
export function createInspectionPool({
  workers = WORKERS,
  limits,
}: Readonly<{ workers?: number; limits?: Limits }> = {}): InspectionPool {
  const free = Array.from({ length: workers }, () => createInspectionWorker(limits))
  const turns = createTurns<(worker: (typeof free)[number]) => Promise<void>>()
  const next = (): void => {
    const worker = free.at(-1)
    const waiting = worker && turns.take()
    if (!waiting) return
    free.pop()
    void waiting(worker).finally(() => {
      free.push(worker)
      next()
    })
  }
  return {
    inspect({ documentType, mediaType, read, share }, { isStrict }) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>()
      turns.add(share, async (worker) => {
        try {
          const bytes = await read()
          resolve(await worker.inspect({ documentType, mediaType, bytes, isStrict }))
        } catch (error) {
          reject(error as Error)
        }
      })
      next()
      return promise
    },
  }
}

/** The pool of this service process, for all platforms. */
export const inspectionPool = createInspectionPool()
