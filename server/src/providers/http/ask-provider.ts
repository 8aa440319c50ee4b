import { newUuid } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Validator } from '../../infra/http/schema/validate.ts'
import { callProvider } from './call-provider.ts'

type Question = Readonly<{ path: string; findProblems: Validator }>

/**
 * What a provider states when it is asked from time to time. Undefined where it is paused, since then it is asked for
 * nothing (PROV-8), and where no such statement came, which the log says.
 */
export async function askProvider<Statement>(
  deps: Deps,
  provider: RegisteredProvider,
  { path, findProblems }: Question,
): Promise<Statement | undefined> {
  if (provider.status === 'PAUSED') return undefined
  const answer = await callProvider(deps, provider, { method: 'GET', path, messageId: newUuid() })
  const isStated =
    answer.answered && answer.status === 200 && findProblems(answer.body).length === 0
  if (isStated) return answer.body as Statement
  const error = answer.answered
    ? `Status ${answer.status}, and not what was asked for.`
    : answer.error
  deps.log.warn({ provider: provider.name, path, error }, 'a provider was asked in vain')
  return undefined
}
