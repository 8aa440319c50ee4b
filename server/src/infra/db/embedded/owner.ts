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

/** Takes the note away, unless another process has become the owner meanwhile. */
export async function disown(cluster: Cluster): Promise<void> {
  const owner = await readNote(cluster)
  if (owner === undefined || (owner !== process.pid && isAlive(owner))) return
  await rm(noteOf(cluster), { force: true })
}

/** Whether the owner was killed and left its server behind. */
export async function isOrphaned(cluster: Cluster): Promise<boolean> {
  const owner = await readNote(cluster)
  return owner !== undefined && !isAlive(owner)
}

async function readNote(cluster: Cluster): Promise<number | undefined> {
  const note = await readFile(noteOf(cluster), 'utf8').catch(() => undefined)
  return note === undefined ? undefined : Number(note)
}
