/**
 * Which process a running server belongs to: it stops the server when it ends, the others only use it. The note lies
 * in the database's folder. A server without one has just come up, under a process that is about to write it.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { isAlive } from './processes.ts'

const noteOf = (cluster: Cluster): string => join(cluster.folder, 'owner')

/** Makes this process the owner. */
export async function own(cluster: Cluster): Promise<void> {
  await writeFile(noteOf(cluster), `${process.pid}\n`)
}

export async function disown(cluster: Cluster): Promise<void> {
  await rm(noteOf(cluster), { force: true })
}

/** Whether the owner was killed and left its server behind. */
export async function isOrphaned(cluster: Cluster): Promise<boolean> {
  const note = await readFile(noteOf(cluster), 'utf8').catch(() => undefined)
  return note !== undefined && !isAlive(Number(note))
}
