/** The hashes that tie the audit entries of a platform to each other (OPER-51). */
import { createHash, hash, randomBytes } from 'node:crypto'

/** What of an entry is hashed, as it is exported; what an entry has not is left out. */
export type ChainedEntry = Readonly<{
  platformId: string
  seq: number
  id: string
  at: string
  actor: string
  action: string
  resource: string | undefined
  noteDigest: string | undefined
  requestId: string
}>

const SALT_BYTES = 16
const HASH_BYTES = 32

/** What the first entry of a chain follows. */
export const CHAIN_START: Buffer = Buffer.alloc(HASH_BYTES)

/** Members in the order of their names and nothing but texts and a whole number: this is canonical JSON (RFC 8785). */
const canonicalText = ({ action, actor, at, id, ...entry }: ChainedEntry): string => {
  const { noteDigest, platformId, requestId, resource, seq } = entry
  return JSON.stringify({
    action,
    actor,
    at,
    id,
    noteDigest,
    platformId,
    requestId,
    resource,
    seq,
  })
}

export const chainHash = (previous: Buffer, entry: ChainedEntry): Buffer =>
  createHash('sha256').update(previous).update(canonicalText(entry)).digest()

export const newNoteSalt = (): Buffer => randomBytes(SALT_BYTES)

/** With a salt, so that a short note cannot be guessed from its digest once it is erased. */
export const digestNote = (salt: Buffer, note: string): Buffer =>
  hash('sha256', Buffer.concat([salt, Buffer.from(note)]), 'buffer')
