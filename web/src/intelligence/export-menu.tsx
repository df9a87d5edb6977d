import { Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { Menu, MenuItem } from '../ui/menu';
import { saveTable } from '../ui/save-file';
import { fileName } from './csv';
import type { Demand } from './demand';
import type { Figure } from './figures';
import { demandSheet, serviceSheet } from './sheets';
import type { Dates } from './wish';

type ExportMenuProps = { business: string; dates: Dates; figures: Figure[]; demand: Demand[] };

/** What is shown, as files for a spreadsheet. They are made here. */
export function ExportMenu({ business, dates: { first, last }, figures, demand }: ExportMenuProps) {
  const save = (what: string, text: string) => saveTable(fileName(business, what, first, last), text);
  return (
    <Menu
      align="end"
      triggerProps={{
        border: '1px solid',
        borderColor: 'line.strong',
        bg: 'bg.card',
        px: '4',
        fontWeight: '550',
      }}
      trigger={
        <Flex as="span" align="center" gap="2">
          <Download size={18} aria-hidden />
          Export
        </Flex>
      }
    >
      <MenuItem value="services" onPick={() => save('services', serviceSheet(figures))}>
        Services (CSV)
      </MenuItem>
      <MenuItem value="demand" onPick={() => save('asked-in-vain', demandSheet(demand))}>
        Unmet demand (CSV)
      </MenuItem>
    </Menu>
  );
}
