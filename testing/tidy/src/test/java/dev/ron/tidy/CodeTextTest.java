package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodeTextTest {

  @Test
  void wordsAreBlankedAndCodeStays() {
    var rows =
        List.of(
            new String[] {"a // b\nc", "a     \nc"},
            new String[] {"a /* b\n * c */ d", "a     \n        d"},
            new String[] {"a /**/ b", "a      b"},
            new String[] {"a /*/ b */ c", "a          c"},
            new String[] {"a \"b\" c", "a \" \" c"},
            new String[] {"a \"\" c", "a \"\" c"},
            new String[] {"\"//\" a", "\"  \" a"},
            new String[] {"\"/*\" a \"*/\"", "\"  \" a \"  \""},
            new String[] {"\"\\\"b\" a", "\"   \" a"},
            new String[] {"\"\\\\\" a", "\"  \" a"},
            new String[] {"'\"' a '\"'", "' ' a ' '"},
            new String[] {"'\\'' a", "'  ' a"},
            new String[] {"\"\"\"\n b \" c\n\"\"\" d", "\"\"\"\n      \n\"\"\" d"},
            new String[] {"\"\"\"\n\\\"\"\" b\"\"\" d", "\"\"\"\n      \"\"\" d"},
            new String[] {"// \"\na", "    \na"},
            new String[] {"\"b\na", "\" \na"},
            new String[] {"/* b", "    "},
            new String[] {"\"\\", "\" "},
            new String[] {"a / b * c", "a / b * c"});
    for (String[] row : rows) {
      assertThat(CodeText.of(row[0])).as(row[0]).isEqualTo(row[1]);
    }
  }
}
