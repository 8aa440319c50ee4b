import { proveRules } from './project/prove-rules.ts'
import { useCaseRules } from './use-cases.ts'

const path = 'server/src/features/quotes/execute-quote.ts'
const imports = "import type { Work } from '../../infra/work.ts'\n"
const body = "export async function executeQuote(work: Work) { return fail('QUOTE_EXPIRED') }\n"

proveRules(useCaseRules, [
  {
    rule: 'use-case-header',
    because: 'nothing says what it does',
    files: { [path]: imports + body },
    at: [`${path}:2`],
  },
  {
    rule: 'use-case-header',
    because: 'a remark inside or below is no header; an arrow is a use-case too',
    files: {
      [path]:
        'export const executeQuote = async (work: Work) => {\n// pays the quote out of the account\n}\n',
    },
    at: [`${path}:1`],
  },
  {
    rule: 'use-case-header',
    because: 'at the top or right above',
    files: {
      [path]: `/** Pays a quote. Fails: QUOTE_EXPIRED. */\n${imports}${body}`,
      'server/src/features/quotes/cancel-quote.ts':
        imports +
        '/** Cancels a quote that waits. */\nexport function cancelQuote(work: Work) {}\n',
    },
    at: [],
  },
  {
    rule: 'use-case-header',
    because: 'tables, rules, fixed files and other layers are not use-cases',
    files: {
      'server/src/features/quotes/account-types.ts': 'export const ACCOUNT_TYPES = []\n',
      'server/src/features/quotes/price-quote.ts': 'export const priceQuote = (a: bigint) => a\n',
      'server/src/features/quotes/store.ts': 'export const store = (work: Work) => 1\n',
      'server/src/webhooks/emit-event.ts': 'export function emitEvent(work: Work) {}\n',
    },
    at: [],
  },
  {
    rule: 'use-case-refusals',
    because: 'it refuses with a code its header does not name',
    files: { [path]: `/** Pays a quote out of its account. */\n${imports}${body}` },
    at: [`${path}:3`],
  },
  {
    rule: 'use-case-refusals',
    because: 'the header names it',
    files: { [path]: `/** Pays a quote. Fails: QUOTE_EXPIRED. */\n${imports}${body}` },
    at: [],
  },
])
