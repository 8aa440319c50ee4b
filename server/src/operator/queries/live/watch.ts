/** Notifies open lists of changes. One query a second serves all of them (OPER-125). */
import type { Caller } from '../../../kernel/access/operator.ts'
import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Deps } from '../../../infra/deps.ts'
import { findCallers, isAsBefore } from '../../sign-in/dashboard-access.ts'
import { readVersions, type WatchedList } from './change-store.ts'

const LOOK_MS = SECOND_MS
/** Shows reader and proxies that the connection lives. */
const HEARTBEAT_MS = 15 * SECOND_MS
/** So many looks pass between two changes that a reader hears of, however busy the list is. */
const RESTING_LOOKS = 2

/** A list that is open in a session. */
export type Reading = WatchedList & Readonly<{ digest: Buffer; caller: Caller }>

type Reader = {
  readonly reading: Reading
  version: string | undefined
  restingLooks: number
  isChanged: boolean
  isOver: boolean
  wake(): void
}

export type Watch = Readonly<{
  /** True for a change, the first at once; false where nothing happened for a while. Ends with the session. */
  changesOf(reading: Reading, signal: AbortSignal): AsyncGenerator<boolean>
}>

/** Waits for a change, or until a heartbeat is needed to keep the connection open. */
const untilWoken = (reader: Reader, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, HEARTBEAT_MS).unref()
    reader.wake = done
    signal.addEventListener('abort', done)
  })

function note(reader: Reader, version: string): void {
  if (reader.restingLooks > 0) reader.restingLooks -= 1
  else if (reader.version !== version) {
    Object.assign(reader, { version, isChanged: true, restingLooks: RESTING_LOOKS })
    reader.wake()
  }
}

export function createWatch(deps: Deps): Watch {
  const readers = new Set<Reader>()
  let isLooking = false

  const look = async (): Promise<void> => {
    const all = [...readers]
    const readings = all.map(({ reading }) => reading)
    const callers = await findCallers(
      deps,
      readings.map(({ digest }) => digest),
    )
    const versions = await readVersions(deps.db.read, readings)
    for (const [index, reader] of all.entries()) {
      // Otherwise the reader has to open the list again.
      const { caller, digest } = reader.reading
      reader.isOver = !isAsBefore(caller, callers.get(digest.toString('hex')))
      if (reader.isOver) reader.wake()
      else note(reader, versions[index] ?? '')
    }
  }

  /** Looks as long as there are readers. A look that fails is made up for by the next one. */
  const lookOn = (): void => {
    isLooking = readers.size > 0
    if (!isLooking) return
    const next = (): unknown => setTimeout(lookOn, LOOK_MS).unref()
    look().then(next, (error: unknown) => {
      deps.log.warn({ err: error }, 'live lists')
      next()
    })
  }

  return {
    async *changesOf(reading, signal) {
      const state = { version: undefined, restingLooks: 0, isChanged: false, isOver: false }
      const reader: Reader = { reading, ...state, wake: () => undefined }
      readers.add(reader)
      if (!isLooking) lookOn()
      try {
        while (!signal.aborted && !reader.isOver) {
          if (!reader.isChanged) await untilWoken(reader, signal)
          const { isChanged, isOver } = reader
          reader.isChanged = false
          if (!signal.aborted && !isOver) yield isChanged
        }
      } finally {
        readers.delete(reader)
      }
    },
  }
}
