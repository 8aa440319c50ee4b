/**
 * The owner of a running server is the process that stops it; the others only use it. A note in the database's folder
 * names the owner. A server without a note has just started, and its owner is about to write it.
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

/** Removes the note, unless another process has become the owner meanwhile. */
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
