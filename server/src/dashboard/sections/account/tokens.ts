import { html } from '../../../pages/html.ts'
import { textColumn, timeColumn } from '../../cells/cells.ts'
import { API_REFERENCE, shownOnce } from '../operator-tokens.ts'
import type { Action, Section } from '../../section.ts'
import { operatorTokenCommands } from '../../../operator/commands/operators/operator-tokens.ts'
import type { Answer } from '../../../operator/command.ts'

type Line = Answer<typeof operatorTokenCommands.list>[number]

const CREATE: Action<object, Answer<typeof operatorTokenCommands.create>> = {
  name: 'create',
  label: 'Make a personal token',
  command: operatorTokenCommands.create,
  about: 'Give it to florin in FLORIN_OPERATOR_TOKEN or by --token-file.',
  tone: 'good',
  fields: [{ name: 'name', label: 'Name', isRequired: true }],
  options: () => ({ personal: true }),
  done: 'The token is made',
  showsAnswer: true,
  answerView: ({ token, expiresAt }) =>
    shownOnce({
      title: 'Token',
      about: 'Give it to florin in FLORIN_OPERATOR_TOKEN or by --token-file.',
      value: token,
      until: expiresAt,
    }),
}

/** What an operator makes for the command line, as themselves (OPER-40). */
export const myTokens: Section<Line> = {
  path: 'account/tokens',
  title: 'My tokens',
  about: html`Tokens that act as you on the command line and over HTTP. A personal one lasts 12
  hours; making it takes a sign-in of the last 15 minutes. ${API_REFERENCE}`,
  idOf: ({ operatorTokenId }) => operatorTokenId,
  list: {
    command: operatorTokenCommands.list,
    caption: 'Tokens that work, oldest first',
    views: [{ name: 'own', title: 'My tokens', options: { own: true } }],
    columns: [
      textColumn('Name', 'name'),
      timeColumn('Created', 'createdAt'),
      timeColumn('Expires', 'expiresAt'),
      timeColumn('Last used', 'lastUsedAt'),
    ],
    empty: 'You have none.',
  },
  actions: [CREATE],
  detail: {
    title: ({ name }) => name,
    facts: [timeColumn('Created', 'createdAt'), timeColumn('Expires', 'expiresAt')],
    actions: [
      {
        name: 'revoke',
        label: 'Revoke',
        command: operatorTokenCommands.revoke,
        tone: 'bad',
        endsIt: true,
        done: 'The token is revoked.',
      },
    ],
  },
}
