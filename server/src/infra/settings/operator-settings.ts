/** How operators come in, and what they may do. */
import * as kinds from './setting-kinds.ts'
import { isProduction, optional, setting } from './setting.ts'

export const OPERATOR_SETTINGS = {
  operatorCli: setting({
    name: 'OPERATOR_CLI',
    kind: kinds.oneOf(['open', 'token']),
    default: (texts) => (isProduction(texts) ? 'token' : 'open'),
    defaultShown: '`open`, in production `token`',
    about:
      'Who may use `florin`: with `open` every user of the machine, as `local:<user>` with all roles; with `token` it takes an operator’s token in `FLORIN_OPERATOR_TOKEN` or `--token-file`, once there is an operator.',
  }),
  operatorToken: optional({
    name: 'FLORIN_OPERATOR_TOKEN',
    kind: kinds.operatorToken,
    about: 'The operator’s token that `florin` acts by; the service itself does not read it.',
  }),
  operatorLinks: setting({
    name: 'OPERATOR_LINKS',
    kind: kinds.oneOf(['on', 'off']),
    default: (texts) =>
      isProduction(texts) && texts['OPERATOR_OIDC_ISSUER'] !== undefined ? 'off' : 'on',
    defaultShown: '`on`; `off` in production where `OPERATOR_OIDC_ISSUER` is given',
    about:
      'Whether `florin dashboard link` signs operators in. Links of invitations and of `operators recover` always do.',
  }),
  fourEyes: setting({
    name: 'FOUR_EYES',
    kind: kinds.oneOf(['on', 'off']),
    default: (texts) => (isProduction(texts) ? 'on' : 'off'),
    defaultShown: '`off`, in production `on`',
    about:
      'Whether a second operator has to approve what releases money or changes who may do what. `off` in production declares that a single operator runs the installation.',
  }),
  fourEyesFrom: setting({
    name: 'FOUR_EYES_FROM',
    kind: kinds.dollars,
    default: 'USD:0',
    about:
      'With `FOUR_EYES` on: settlements, deposits and retries need a second operator once what one operator moved alone on a day (UTC) reaches this, in cents. `USD:0`: always.',
  }),
}
