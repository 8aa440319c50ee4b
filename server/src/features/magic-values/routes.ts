import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listMagicValues } from './list-magic-values.ts'
import { MagicValueListSchema } from './schema.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'listSandboxMagicValues',
    path: '/sandbox/magic-values',
    tag: 'Sandbox',
    needs: 'VIEW',
    summary: 'List the magic values',
    description:
      'Every value by which the sandbox decides what the outside does: where it stands, how it is compared, and its effect. Any other value succeeds.',
    replies: { 200: MagicValueListSchema },
    handler: async ({ work }) => reply(200, { data: listMagicValues(work.settings) }),
  }),
]
