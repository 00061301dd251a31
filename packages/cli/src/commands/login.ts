import { Command } from 'commander'
import type { LoginOptions } from '../remote/login.js'
import type { TargetOptions } from '../remote/target.js'

const urlOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the service; default: VIDIMUS_URL')
    .option('--allow-http', 'allow an http address that is not on this machine: tokens are sent in clear')

/** `vidimus login` */
export const loginCommand = () =>
  urlOptions(new Command('login'))
    .description(
      'sign in to a service elsewhere, in a browser on any device, for the commands with --url; the token is stored in a file that only you can read',
    )
    .option('--issuer <issuer>', 'identity provider, if the service has several')
    .option('--client-id <id>', 'client id at the provider; default: what the service says')
    .option('--resource <url>', 'what the service must call itself; default: its address')
    .option('--audience <audience>', 'what tokens for the service are for, if not its address')
    .option('--scope <scopes>', 'scopes to ask for, beside openid and offline_access')
    .action(async (options: LoginOptions) => (await import('../remote/login.js')).login(options))

/** `vidimus logout` */
export const logoutCommand = () =>
  urlOptions(new Command('logout'))
    .description('delete the token of vidimus login, and end it at the identity provider')
    .action(async (options: TargetOptions) => (await import('../remote/login.js')).logout(options))
