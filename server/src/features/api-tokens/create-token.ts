import { digestSecret, newSecret } from '../../crypto/secret-hash.ts'
import { newId } from '../../kernel/ids.ts'
import { orderPermissions, type Permission } from '../../kernel/permissions.ts'
import type { Work } from '../../infra/work.ts'
import { insertToken, type ApiToken } from './store.ts'

export type CreatedToken = Readonly<{ token: ApiToken; clientSecret: string }>

/** Makes a token. Its secret leaves here once; only a digest of it is kept. */
export async function createToken(
  work: Work,
  { name, permissions }: { name: string; permissions: readonly Permission[] },
): Promise<CreatedToken> {
  const clientSecret = newSecret()
  const token: ApiToken = {
    id: newId('token'),
    name,
    permissions: orderPermissions(permissions),
    createdAt: work.now,
    updatedAt: work.now,
  }
  const secretDigest = digestSecret(clientSecret)
  await insertToken(work.tx, work.platform.id, { ...token, secretDigest })
  return { token, clientSecret }
}
