import { Command } from 'commander';
import { packageAddCommand } from './package-add';
import { packageDocsCommand } from './package-docs';
import { packageListCommand } from './package-list';
import { packageNewCommand } from './package-new';
import { packageReleaseCommand } from './package-release';
import { packageKeysCommand, packageSignCommand } from './package-sign';
import { createCommand } from './packages/create';
import { fromChartCommand } from './packages/from-chart';
import { fromManifestsCommand } from './packages/from-manifests';
import { fromRgdCommand } from './packages/from-rgd';
import { verifyCommand } from './packages/verify';
import { pullCommand } from './pull';
import { pushCommand } from './push';

/** `bravo package new|add|from-manifests|from-chart|from-rgd|create|verify|list|docs|push|pull|release|sign|keys`. */
export function packageCommand(): Command {
  return new Command('package')
    .description('Create, extend, verify, pack, list, publish and sign packages')
    .addCommand(packageNewCommand())
    .addCommand(packageAddCommand())
    .addCommand(fromManifestsCommand())
    .addCommand(fromChartCommand())
    .addCommand(fromRgdCommand())
    .addCommand(createCommand())
    .addCommand(verifyCommand())
    .addCommand(packageListCommand())
    .addCommand(packageDocsCommand())
    .addCommand(pushCommand())
    .addCommand(pullCommand())
    .addCommand(packageReleaseCommand())
    .addCommand(packageSignCommand())
    .addCommand(packageKeysCommand());
}
