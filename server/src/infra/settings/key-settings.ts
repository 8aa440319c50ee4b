/** The master key, and what is sealed with it. */
import * as kinds from './setting-kinds.ts'
import { optional, setting } from './setting.ts'

export const KEY_SETTINGS = {
  masterKey: optional({
    name: 'MASTER_KEY',
    kind: kinds.masterKeys,
    requiredInProduction: true,
    alternatives: ['MASTER_KEY_FILE', 'MASTER_KEY_COMMAND'],
    about:
      'Key from which all encryption keys are derived: 32 bytes in base64 or hex. To rotate, put the new one first: `new:KEY,KEY`. In development one is made in `DATA_DIR`.',
  }),
  masterKeyFile: optional({
    name: 'MASTER_KEY_FILE',
    kind: kinds.path,
    about:
      'File that holds the master key in place of `MASTER_KEY`, read once at start. In production its mode is 0600 or 0400.',
  }),
  masterKeyCommand: optional({
    name: 'MASTER_KEY_COMMAND',
    kind: kinds.shellCommand,
    about:
      'Shell command that prints the master key in place of `MASTER_KEY`, run at start for 10 seconds at most, without the secrets of the service in its environment. So any key management service or secret store serves.',
  }),
  sealContactData: setting({
    name: 'SEAL_CONTACT_DATA',
    kind: kinds.oneOf(['off', 'on']),
    default: 'off',
    about:
      'With `on`, names, e-mail, phone, birth dates and addresses of customers and owners, contacts of wallet credentials, and the bodies of events and stored answers are sealed in the database. `florin keys reseal` seals older rows; after `off` both forms are read. `platformCustomerId` stays readable on transactions: do not use an e-mail address for it.',
  }),
}
