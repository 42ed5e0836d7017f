module @jit_halves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>) -> (tensor<4xbf16> {jax.result_info = "result[0]"}, tensor<5xbf16> {jax.result_info = "result[1]"}, tensor<4xi32> {jax.result_info = "result[2]"}, tensor<5xi32> {jax.result_info = "result[3]"}, tensor<4x5xbf16> {jax.result_info = "result[4]"}, tensor<4x5xi32> {jax.result_info = "result[5]"}, tensor<4x2xbf16> {jax.result_info = "result[6]"}, tensor<4x2xi32> {jax.result_info = "result[7]"}, tensor<4x5xbf16> {jax.result_info = "result[8]"}, tensor<4x5xbf16> {jax.result_info = "result[9]"}, tensor<4x5xbf16> {jax.result_info = "result[10]"}, tensor<4x5xbf16> {jax.result_info = "result[11]"}, tensor<4x5xbf16> {jax.result_info = "result[12]"}, tensor<3x2xbf16> {jax.result_info = "result[13]"}, tensor<4xbf16> {jax.result_info = "result[14]"}, tensor<20xbf16> {jax.result_info = "result[15]"}, tensor<4x5xbf16> {jax.result_info = "result[16]"}, tensor<4x5xbf16> {jax.result_info = "result[17]"}, tensor<4x5xbf16> {jax.result_info = "result[18]"}) {
    %c = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x5xf32>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %2 = call @remainder(%1, %c_0) : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<4x5xf32>
    %5 = stablehlo.convert %4 : (tensor<4x5xf32>) -> tensor<4x5xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<4xbf16>
    %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %7 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.minimum across dimensions = [0] : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<5xbf16>
    %8 = call @argmax(%5) : (tensor<4x5xbf16>) -> tensor<4xi32>
    %9 = call @argmin(%5) : (tensor<4x5xbf16>) -> tensor<5xi32>
    %10 = call @sort(%5) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %11 = call @argsort(%5) : (tensor<4x5xbf16>) -> tensor<4x5xi32>
    %values, %indices = chlo.top_k(%5, k = 2) : tensor<4x5xbf16> -> (tensor<4x2xbf16>, tensor<4x2xi32>)
    %12 = call @cumsum(%5) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %13 = call @cummax(%5) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %14 = stablehlo.reverse %5, dims = [0] : tensor<4x5xbf16>
    %15:2 = "stablehlo.sort"(%5, %14) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>, %arg3: tensor<bf16>, %arg4: tensor<bf16>):
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %36 = stablehlo.compare EQ, %arg1, %cst_10, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %37 = stablehlo.select %36, %cst_11, %arg1 : tensor<i1>, tensor<bf16>
      %38 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_12 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %39 = stablehlo.select %38, %cst_12, %37 : tensor<i1>, tensor<bf16>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %40 = stablehlo.compare EQ, %arg2, %cst_13, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %41 = stablehlo.select %40, %cst_14, %arg2 : tensor<i1>, tensor<bf16>
      %42 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_15 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %43 = stablehlo.select %42, %cst_15, %41 : tensor<i1>, tensor<bf16>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %44 = stablehlo.compare EQ, %arg3, %cst_16, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %45 = stablehlo.select %44, %cst_17, %arg3 : tensor<i1>, tensor<bf16>
      %46 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %47 = stablehlo.select %46, %cst_18, %45 : tensor<i1>, tensor<bf16>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %48 = stablehlo.compare EQ, %arg4, %cst_19, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %49 = stablehlo.select %48, %cst_20, %arg4 : tensor<i1>, tensor<bf16>
      %50 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %51 = stablehlo.select %50, %cst_21, %49 : tensor<i1>, tensor<bf16>
      %52 = stablehlo.compare LT, %47, %51, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %53 = stablehlo.compare LT, %39, %43, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %54 = stablehlo.compare EQ, %39, %43, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %55 = stablehlo.and %54, %52 : tensor<i1>
      %56 = stablehlo.or %53, %55 : tensor<i1>
      stablehlo.return %56 : tensor<i1>
    }) : (tensor<4x5xbf16>, tensor<4x5xbf16>) -> (tensor<4x5xbf16>, tensor<4x5xbf16>)
    %16 = stablehlo.slice %5 [1:4, 0:5] : (tensor<4x5xbf16>) -> tensor<3x5xbf16>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %18 = stablehlo.compare LT, %c, %17, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %20 = stablehlo.add %c, %19 : tensor<3xi32>
    %21 = stablehlo.select %18, %20, %c : tensor<3xi1>, tensor<3xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %23 = "stablehlo.scatter"(%5, %22, %16) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %36 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %36 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<3x1xi32>, tensor<3x5xbf16>) -> tensor<4x5xbf16>
    %cst_6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %25 = "stablehlo.reduce_window"(%5, %24) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %36 = stablehlo.maximum %arg1, %arg2 : tensor<bf16>
      stablehlo.return %36 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<3x2xbf16>
    %26 = call @median(%5) : (tensor<4x5xbf16>) -> tensor<4xbf16>
    %27 = stablehlo.reshape %5 : (tensor<4x5xbf16>) -> tensor<20xbf16>
    %28 = call @cumsum_1(%27) : (tensor<20xbf16>) -> tensor<20xbf16>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<5xbf16>
    %31 = "stablehlo.scatter"(%5, %29, %30) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %36 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %36 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<1xi32>, tensor<5xbf16>) -> tensor<4x5xbf16>
    %32 = stablehlo.reduce_precision %5, format = e8m7 : tensor<4x5xbf16>
    %cst_9 = stablehlo.constant dense<6.250000e-02> : tensor<bf16>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<4x5xbf16>
    %34 = stablehlo.add %5, %33 : tensor<4x5xbf16>
    %35 = stablehlo.reduce_precision %34, format = e5m2 : tensor<4x5xbf16>
    return %6, %7, %8, %9, %10, %11, %values, %indices, %12, %13, %15#0, %15#1, %23, %25, %26, %28, %31, %32, %35 : tensor<4xbf16>, tensor<5xbf16>, tensor<4xi32>, tensor<5xi32>, tensor<4x5xbf16>, tensor<4x5xi32>, tensor<4x2xbf16>, tensor<4x2xi32>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<3x2xbf16>, tensor<4xbf16>, tensor<20xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>, tensor<4x5xbf16>
  }
  func.func private @remainder(%arg0: tensor<4x5xf32>, %arg1: tensor<i32>) -> tensor<4x5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %2 = stablehlo.remainder %arg0, %1 : tensor<4x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %4 = stablehlo.compare NE, %2, %3, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %6 = stablehlo.compare LT, %2, %5, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.compare LT, %0, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<4x5xi1>
    %9 = stablehlo.compare NE, %6, %8, UNSIGNED : (tensor<4x5xi1>, tensor<4x5xi1>) -> tensor<4x5xi1>
    %10 = stablehlo.and %9, %4 : tensor<4x5xi1>
    %11 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %12 = stablehlo.add %2, %11 : tensor<4x5xf32>
    %13 = stablehlo.select %10, %12, %2 : tensor<4x5xi1>, tensor<4x5xf32>
    return %13 : tensor<4x5xf32>
  }
  func.func private @argmax(%arg0: tensor<4x5xbf16>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x5xi32>
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x5xbf16>, tensor<4x5xi32>, tensor<bf16>, tensor<i32>) -> (tensor<4xbf16>, tensor<4xi32>)
     reducer(%arg1: tensor<bf16>, %arg3: tensor<bf16>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<bf16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<bf16>, tensor<i32>
    }
    return %1#1 : tensor<4xi32>
  }
  func.func private @argmin(%arg0: tensor<4x5xbf16>) -> tensor<5xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
    %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<4x5xbf16>, tensor<4x5xi32>, tensor<bf16>, tensor<i32>) -> (tensor<5xbf16>, tensor<5xi32>)
     reducer(%arg1: tensor<bf16>, %arg3: tensor<bf16>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<bf16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<bf16>, tensor<i32>
    }
    return %1#1 : tensor<5xi32>
  }
  func.func private @sort(%arg0: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<bf16>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<bf16>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<bf16>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<bf16>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    return %0 : tensor<4x5xbf16>
  }
  func.func private @argsort(%arg0: tensor<4x5xbf16>) -> tensor<4x5xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<4x5xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<bf16>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<bf16>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<bf16>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<bf16>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<4x5xbf16>, tensor<4x5xi32>) -> (tensor<4x5xbf16>, tensor<4x5xi32>)
    return %1#1 : tensor<4x5xi32>
  }
  func.func private @cumsum(%arg0: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    return %0 : tensor<4x5xbf16>
  }
  func.func private @cumsum_0(%arg0: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<4x5xbf16>
    return %1 : tensor<4x5xbf16>
  }
  func.func private @cummax(%arg0: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<4x5xbf16>
    return %1 : tensor<4x5xbf16>
  }
  func.func private @median(%arg0: tensor<4x5xbf16>) -> tensor<4xbf16> {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = call @quantile(%arg0, %cst) : (tensor<4x5xbf16>, tensor<f32>) -> tensor<4xbf16>
    return %0 : tensor<4xbf16>
  }
  func.func private @quantile(%arg0: tensor<4x5xbf16>, %arg1: tensor<f32>) -> tensor<4xbf16> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<4x5xbf16>, tensor<4x5xbf16>) -> tensor<4x5xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<4x5xi1>, tensor<i1>) -> tensor<4xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<4x1xi1>, tensor<f32>, tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<bf16>
      %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<bf16>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<bf16>
      %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<bf16>
      %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %6 = stablehlo.multiply %arg1, %5 : tensor<f32>
    %7 = stablehlo.floor %6 : tensor<f32>
    %8 = stablehlo.ceil %6 : tensor<f32>
    %cst_2 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f32>
    %cst_5 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f32>
    %13 = stablehlo.convert %10 : (tensor<f32>) -> tensor<i32>
    %14 = stablehlo.convert %12 : (tensor<f32>) -> tensor<i32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xbf16>, tensor<1xi32>) -> tensor<4xbf16>
    %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x5xbf16>, tensor<1xi32>) -> tensor<4xbf16>
    %19 = stablehlo.add %16, %18 : tensor<4xbf16>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
    %21 = stablehlo.multiply %19, %20 : tensor<4xbf16>
    return %21 : tensor<4xbf16>
  }
  func.func private @_where(%arg0: tensor<4x1xi1>, %arg1: tensor<f32>, %arg2: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<4x5xbf16>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<4x5xi1>, tensor<4x5xbf16>
    return %3 : tensor<4x5xbf16>
  }
  func.func private @cumsum_1(%arg0: tensor<20xbf16>) -> tensor<20xbf16> {
    %0 = call @cumsum_2(%arg0) : (tensor<20xbf16>) -> tensor<20xbf16>
    return %0 : tensor<20xbf16>
  }
  func.func private @cumsum_2(%arg0: tensor<20xbf16>) -> tensor<20xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[19, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 20>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<20xbf16>, tensor<bf16>) -> tensor<20xbf16>
    return %1 : tensor<20xbf16>
  }
}
