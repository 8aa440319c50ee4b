import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { checkName } from '../../../kernel/text/check-name.ts'
import { formatId, mustParseId } from '../../../kernel/ids.ts'
import { fail } from '../../../kernel/errors.ts'
import { PERMISSIONS, type Permission } from '../../../kernel/access/permissions.ts'
import { clientIdOf, createToken, deleteToken } from '../../../features/api-tokens/index.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inPlatform } from '../../in-platform.ts'
import { findPlatformOfToken } from '../../queries/operator-store.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

function permissionsOf(input: Input): Permission[] {
  const names = (input.option('permissions') ?? PERMISSIONS.join(',')).split(',')
  const known = names.filter((name): name is Permission => PERMISSIONS.includes(name as Permission))
  if (known.length !== names.length) throw new UsageError(`Permissions: ${PERMISSIONS.join(',')}.`)
  return known
}

/** The same rule as for POST /tokens (TOK-1). */
function nameOf(input: Input): string {
  const name = input.option('name') ?? ''
  const [problem] = checkName({ name })
  if (problem) throw new UsageError(`--name ${problem.message}.`)
  return name
}

const create = defineCommand({
  name: 'tokens create',
  access: { roles: ['ADMIN', 'DEVELOPER'], fourEyes: 'always', writes: true },
  about: 'Make an API token for a platform; the secret is shown once.',
  options: {
    platform: { about: 'The platform.', value: 'ID', required: true },
    name: { about: 'Name of the token.', value: 'NAME', required: true },
    permissions: { about: 'VIEW,TRANSACT,MANAGE (default: all).', value: 'LIST' },
  },
  showsOnce: ['clientSecret'],
  answers: record({
    tokenId: idField('token'),
    clientId: Type.String(),
    clientSecret: Type.String(),
    permissions: Type.Array(Type.String()),
  }),
  run: (deps, input) =>
    inPlatform(
      deps,
      { platformId: input.option('platform') ?? '', action: 'tokens create' },
      async (work) => {
        const permissions = permissionsOf(input)
        const { token, clientSecret } = await createToken(work, {
          name: nameOf(input),
          permissions,
        })
        return {
          tokenId: formatId('token', token.id),
          clientId: clientIdOf(token.id),
          clientSecret,
          permissions: token.permissions,
        }
      },
    ),
})

const revoke = defineCommand({
  name: 'tokens revoke',
  access: { roles: ['ADMIN', 'DEVELOPER'], writes: true },
  about: 'Delete an API token, the last one of a platform included.',
  takes: ['tokenId'],
  answers: record({ tokenId: idField('token'), revoked: Type.Boolean() }),
  async run(deps, input) {
    const tokenId = onlyArg(input, 'tokenId')
    const id = mustParseId('token', tokenId)
    const owner =
      (await visibleOwner(deps, findPlatformOfToken(deps.db.read, id))) ?? fail('TOKEN_NOT_FOUND')
    const platformId = formatId('platform', owner)
    await inPlatform(deps, { platformId, action: 'tokens revoke', resource: tokenId }, (work) =>
      deleteToken(work, id),
    )
    return { tokenId, revoked: true }
  },
})

export const tokenCommands = { create, revoke }
